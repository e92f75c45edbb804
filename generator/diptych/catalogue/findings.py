"""What is known of each kind of finding, a row a kind: its meaning, what to do, its weight, what it does to a verdict.

The manual's page of findings is made from these rows. Where a fact is counted, its finding takes one of the severities
that its row allows.
"""

from collections.abc import Mapping

from diptych.catalogue.finding_row import FindingRow
from diptych.catalogue.run_findings import RUN_FINDINGS
from diptych.catalogue.sample_findings import SAMPLE_FINDINGS
from diptych.catalogue.score_findings import SCORE_FINDINGS
from diptych.catalogue.student_findings import STUDENT_FINDINGS
from diptych.closed_names import FindingKind

FINDINGS: Mapping[FindingKind, FindingRow] = {
    **SAMPLE_FINDINGS,
    **SCORE_FINDINGS,
    **RUN_FINDINGS,
    **STUDENT_FINDINGS,
}
