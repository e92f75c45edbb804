"""A text's secrets are known by their shape, as other scanners know them, and no text takes long."""

import random
import time
from importlib import import_module

import pytest
from hypothesis import assume, given, settings, strategies

from diptych.secrets import MASK, mask_text

# realistic and made up: R and L stand for the random part of a token, in mixed and in small letters
R, L, HEX = "aB3dE5gH7jK9mN1pQ2rS4tU6", "abcdefghijklmnop1234567890qrstuv", "0123456789abcdef" * 2


SHAPES = f"""
https://{R}@host.example/v1
https://{R}:x-oauth-basic@github.com/o/r
https://user:pa/ss/wd@host/v1
postgresql://svc:S3cr/et#1@db:5432/x
Server=db;Uid=me;Pwd=hunter22;
pwd=hunter22
openai_key={L}
mistral_key=abc123
some_key={L}
auth_header=abc12345
auth_header: Token abc12345
Authorization: token {L}
Authorization: ApiKey {L}
Authorization: Basic dXNlcjpwYXNzd29yZA==
authorization=Bearer%20{L}
DefaultEndpointsProtocol=https;AccountName=a;AccountKey=abcd/efgh+ijk12==;EndpointSuffix=core.windows.net
Endpoint=sb://x/;SharedAccessKeyName=R;SharedAccessKey=abcdEFGH1234=
https://b.example/k?X-Amz-Credential=AKIAABCDEFGHIJKLMNOP%2F2024&X-Amz-Signature=0123456789abcdef
https://storage.example/b/o?X-Goog-Signature=0123abcd4567
https://a.blob.example/c?sv=2022&sig=abcdEF%2Bxyz%3D
https://hooks.slack.com/services/T0000/B0000/{L}
https://discord.com/api/webhooks/123456789/{R}
https://x.webhook.office.com/webhookb2/1234-5678@abcd/IncomingWebhook/abc/def
npm_{L}1234
pypi-AgEIcHlwaS5vcmc{L}{L}{L}
sk_live_{R}
rk_test_{R}
xai-{R}{R}
hf_oauth_{R}
hf_{R}{R}
ASIAABCDEFGHIJKLMNOP
pplx-{R}{R}
ya29.a0AfH6SMBx{R}
1//0g{R}{R}
AIzaSyA{R}abcdefghij12
github_pat_{R}_{R}
glpat-{R}
xapp-1-A0-123-{L}
nvapi-{R}{R}
sk-ant-api03-{R}-{R}
sk-or-v1-{L}{L}
SG.{R[:22]}.{R}{R[:19]}
whsec_{L}
shpat_{L}
dckr_pat_{R}
dop_v1_{L}{L}
hvs.{R}{R}
123456789:AA{R}abcdefghi
{HEX}-us12
SK{HEX}
dapi{HEX}
aws_secret_access_key=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY
WANDB_API_KEY={HEX}
--token hunter2x
curl -H "X-Api-Key: {L}"
Cookie: session=abcd1234efgh; path=/
https://host/cb?code=abcd1234&state=1
"api_key": "word"
-----BEGIN OPENSSH PRIVATE KEY-----\\nabc\\n-----END OPENSSH PRIVATE KEY-----
-----BEGIN PGP PRIVATE KEY BLOCK-----\\nabc\\n-----END PGP PRIVATE KEY BLOCK-----
dbpassword=abc
x-goog-api-key: {L}
ATATT3xFfGF0{R}{R}
lin_api_{R}{R}
tgp_v1_{R}
lsv2_pt_{L}_{L[:10]}
AKIAABCDEFGHIJKLMNOP:abcd1234efgh/JKLMNOPQRSTUVWXYZabcdefg+ij
AKIAABCDEFGHIJKLMNOP secret = "abcd1234efgh/JKLMNOPQRSTUVWXYZabcdefg+ij"
***:abcd1234efgh/JKLMNOPQRSTUVWXYZabcdefg+ij
key=hunter2xY9
creds=hunter2x
glsa_{R}{R[:8]}_0123abcd
curl -u user:{R} https://host
mysql -u root -p{R} db
sshpass -p '{R}' ssh host
docker login -u me -p {R}
https://api.telegram.org/bot123456789:{R}{R[:11]}/send
machine api.wandb.ai login user password {HEX}
the password is hunter2xY9
otpauth://totp/x?secret={R}
"private_key": "-----BEGIN PRIVATE KEY-----\\n{R}\\n-----END PRIVATE KEY-----"
{{\\"api_key\\":\\"{R}\\"}}
%7B%22api_key%22%3A%22{R}%22%7D
url=https%3A%2F%2Fh%3Fapi_key%3D{R}
auth_client_secret=AuthApiKey('{R}')
AWS_BEARER_TOKEN_BEDROCK=ABSK{R}{R}
ApiKey {R}{R}==
Authorization: SSWS {R}{R}
secretId=AKID{R}
tskey-auth-{R[:12]}-CNTRL{R}
key-{HEX}
NRAK-{R}abc
rpa_{R}{R}
FlyV1 fm2_{R}{R}
me:$2y$10${R}{R}abcde
me:$apr1$abcdefgh${R[:22]}
x-honeycomb-team: {R}
""".split("\n")[1:-1]


@pytest.mark.parametrize("text", SHAPES)
def test_a_secret_is_known_by_its_shape(text: str) -> None:
    masked, count = mask_text(text)
    assert count
    assert not any(part in masked for part in (R, L, HEX, "hunter2", "S3cr", "abcd1234", "pa/ss"))


PLUGINS = (
    *("aws.AWSKeyDetector", "basic_auth.BasicAuthDetector", "discord.DiscordBotTokenDetector"),
    *("github_token.GitHubTokenDetector", "gitlab_token.GitLabTokenDetector", "mailchimp.MailchimpDetector"),
    *("npm.NpmDetector", "openai.OpenAIDetector", "pypi_token.PypiTokenDetector", "sendgrid.SendGridDetector"),
    *("slack.SlackDetector", "square_oauth.SquareOAuthDetector", "stripe.StripeDetector"),
    *("telegram_token.TelegramBotTokenDetector", "azure_storage_key.AzureStorageKeyDetector"),
)


@pytest.mark.parametrize("name", PLUGINS)
@settings(max_examples=15, deadline=None, derandomize=True)
@given(data=strategies.data())
def test_what_another_scanner_finds_is_masked(name: str, data: strategies.DataObject) -> None:
    module, _, plugin = name.partition(".")
    scanner = getattr(import_module(f"detect_secrets.plugins.{module}"), plugin)()
    pattern = data.draw(strategies.sampled_from([each for each in scanner.denylist if ".{0,20}" not in each.pattern]))
    secret = data.draw(strategies.from_regex(pattern, fullmatch=True, alphabet=PRINTABLE))
    found = [each for each in scanner.analyze_string(secret) if len(each) >= 8 and not each.isdigit()]
    assume(all(secret.count(each) == 1 for each in found))  # a user's name that is the password as well is shown
    left = mask_text(secret)[0]
    assert not [each for each in found if each in left], left


PRINTABLE = strategies.characters(
    codec="ascii", min_codepoint=33, max_codepoint=126, exclude_characters="\"'<>,;(){}[]\\"
)


PIECES = (
    *(
        "token",
        "=",
        ": ",
        "https://",
        "http://",
        "://",
        "@",
        "a",
        "1",
        "/",
        ".",
        "-",
        "_",
        "hook/",
        "webhooks/",
        "bearer ",
    ),
    *("bearer%20", "authorization", "eyJ", "--", "key", "secret", "?sig=", "&code=", "-----begin ", "private key"),
    *(
        "AKIA",
        "sk-",
        "hf_",
        "xox",
        "'",
        '"',
        " ",
        "\n",
        "pass",
        "%20",
        "Z9Z9Z9",
        "M",
        "SK",
        "Q~",
        "-us1",
        "auth_header",
    ),
)


@pytest.mark.parametrize("seed", range(12))
def test_no_text_takes_long_to_look_through(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(12):
        unit = "".join(chance.choice(PIECES) for _ in range(chance.randint(1, 5)))
        text = chance.choice(PIECES) + unit * (100_000 // len(unit))
        began = time.process_time()
        mask_text(text)
        assert time.process_time() - began < 3, unit


@pytest.mark.parametrize("unit", ["0--eyJ", "authorization=", "eyJ-----", "https://", "sk-://"])
def test_no_chain_of_what_begins_a_secret_takes_long(unit: str) -> None:
    began = time.process_time()
    mask_text("%20" + unit * (200_000 // len(unit)))
    assert time.process_time() - began < 5


def test_a_token_is_masked_however_long_and_behind_a_hyphen() -> None:
    for size, before in ((20, ""), (3_000, "x "), (40, "--token-")):
        token = f"eyJ{'a1' * (size // 2)}.eyJ{'b2' * 20}.{'c3' * 20}"
        assert mask_text(before + token)[0] == before + MASK
