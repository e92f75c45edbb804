"""Names of secrets are told from names of scores, counts and tokens of a tokenizer."""

import pytest

from diptych.secrets import mask


@pytest.mark.parametrize(
    "name", ["api_keys", "apiKeys", "access_token_1", "db_password_prod", "password2", "passwords"]
)
def test_a_secret_of_several_or_with_a_tail_is_one(name: str) -> None:
    assert mask({name: ["plainword", "another"]})[0] == {name: ["***", "***"]}
    assert mask({name: {"openai": "plainword"}})[0] == {name: {"openai": "***"}}


@pytest.mark.parametrize("name", ["pass@1", "max_tokens", "num_tokens_1", "client_tokens", "stop_tokens"])
def test_scores_and_counts_are_no_secrets(name: str) -> None:
    assert mask({name: 512})[0] == {name: 512}
