"""A text's secrets are known by their shape, as other scanners know them, and no text takes long."""

import random
import time
from importlib import import_module

import pytest
from hypothesis import assume, given, settings, strategies

from diptych.run import Json
from diptych.secrets import MASK, mask, mask_text

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


GIVEN_OTHERWISE = r"""
https%3A%2F%2Fuser%3Ahunter2x%40host%2Fv1
<password>hunterxy</password>
&lt;apiKey&gt;hunter2x&lt;/apiKey&gt;
("password", "hunterxy")
['api_key', 'hunter2x']
https://eth-mainnet.g.alchemy.com/v2/<<R>>
https://mainnet.infura.io/v3/<<H>>
{"args": "[\"--token\",\"hunterxy\"]"}
{"x": "password \"hunterxy\""}
password="hunterxy, and more"
{"name": "HF_TOKEN", "value": "hunter2x"}
- name: HF_TOKEN\n  value: hunter2x
<add key="password" value="hunter2x" />
<input type="password" name="password" value="hunter2x">
<entry key="api_key">hunter2x</entry>
requests.get(u, auth=("eval", "hunter2x"))
HTTPBasicAuth('eval', 'hunter2x')
https://h/cb#access_token=hunter2x&x=1
https://h/a;jsessionid=AB12CD34EF56
PHPSESSID=ab12cd34ef56
connect.sid=s%3Ahunter2x
X-Vault-Token: hunter2x
OAuth oauth_consumer_key="k", oauth_signature="hunter2x"
Authorization: Digest username="me", response="<<H>>"
jdbc:oracle:thin:scott/hunter2x@host:1521:x
jdbc:mysql://h/db?user=u&password=hunter2x
sqlplus scott/hunter2x@db
PGPASSWORD=hunterxy psql -h h
REDISCLI_AUTH=hunter2x redis-cli
MYSQL_PWD=hunterxy mysql
wget --http-password=hunterxy https://h
smbclient -U me%hunter2x //h/s
openssl rsa -passin pass:hunterxy -in k
gpg --batch --passphrase hunterxy -d f
ssh-keygen -N 'hunterxy' -f k
twine upload -u me -p hunter2x dist/*
aws configure set aws_secret_access_key hunter2xY9hunter2xY9
npm config set //registry/:_authToken hunter2xY9
setenv HF_TOKEN hunter2xY9
set -x HF_TOKEN hunter2xY9
ENV HF_TOKEN hunter2xY9
$env:HF_TOKEN = "hunter2x"
os.environ["HF_TOKEN"] = "hunterxy"
process.env.HF_TOKEN = 'hunterxy'
:password => "hunterxy"
'password' => 'hunterxy'
{"password", "hunterxy"}
:password "hunterxy"
https://maker.ifttt.com/trigger/x/with/key/aB3dE5gH7jK9mN1pQ2rS4t
https://h/api/token/hunter2xY9/run
| password | hunter2x |
CREATE USER u IDENTIFIED BY 'hunterxy'
ALTER ROLE u WITH PASSWORD 'hunterxy'
client-key-data: LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQo=
b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAABlwAAAAdzc2gtcn
.dockerconfigjson: eyJhdXRocyI6eyJoIjp7ImF1dGgiOiJhYmNkZWZnaGlqa2xtbm9wIn19fQ==
sk.eyJ1IjoibWUiLCJhIjoiY2p4In0.aB3dE5gH7jK9mN1pQ2rS4t
secret-token:E92FB7EB-D882-47A4-A265-A0B6135DC842
pat-na1-3f2b8c1e-9d47-4a6b-8e21-5c7f0a9b1d34
patAbCdEfGhIjKlMn.<<H>><<H>>
GOCSPX-<<R>>vwxy
sl.B<<R>><<R>><<R>><<R>><<R>>
amzn.mws.3f2b8c1e-9d47-4a6b-8e21-5c7f0a9b1d34
re_aB3dE5gH_7jK9mN1pQ2rS4tU6abcd
pa-<<R>>aB3dE5gH7jK9mN1pQ2r
e2b_<<H>>01234567
FAL_KEY=3f2b8c1e-9d47-4a6b-8e21-5c7f0a9b1d34:<<H>>
v4.local.<<R>><<R>>
phc_<<R>>aB3dE5gH7jK9mN1pQ2r
bedrock-api-key-<<R>><<R>>
CLOJARS_<<H>>0123456789abcdef0123456789ab
eyJrIjoi<<R>><<R>><<R>>
https://x-y.quiknode.pro/<<H>>01234567/
https://rpc.ankr.com/eth/<<H>><<H>>
https%3A%2F%2F<<R>>%40host
https%253A%252F%252Fuser%253Ahunter2x%2540host
{"password"\u003a "hunter2x"}
{"u": "https:\/\/user:hunter2x@host\/v1"}
- --api-key\n- hunter2x
- HF_TOKEN=hunter2x
--api_key   'hunterxy'
-password hunter2x
-Dapi.password=hunterxy
-H x-api-key:hunterxy
['--api-key', 'hunterxy', '--limit', '5']
Namespace(api_key='hunterxy', limit=5)
model_args=base_url=http://h/v1,api_key=hunterxy,model=x
api_key=&quot;hunter2x&quot;
**password:** hunter2x
password: `hunter2x`
password：hunter2x
password="two words2"
HF_TOKEN=hunterxy lm_eval --model x
https%3A%2F%2Fh%2F%3Ftoken%3Dhunter2x%26x%3D1
sv=2022-11-02&ss=b&srt=co&sp=rwl&se=2026&sig=aB3%2FdE5gH7jK9%3D
.h.example\tTRUE\t/\tFALSE\t0\tsessionid\thunter2xY9
machine h login me password hunterxy
ldapsearch -D cn=x -w hunter2x
KAGGLE_KEY=<<H>>
wandb login <<H>>abcdef01
wandb login --relogin --host=https://w.example <<H>>abcdef01
secret_key_base: <<H>><<H>>
bearer:<<R>>
"bearer": "<<R>>"
Api-Token <<R>>
ngrok authtoken <<R>>_<<R>>
ngrok config add-authtoken <<R>>_<<R>>
pass phrase: hunter22x
"token":{"value":"<<R>>"}
{\"api_key\": {\"value\": \"<<R>>\"}}
TOKEN\n<<R>>
MY_API_KEY\n  <<R>>
together api key is <<H>><<H>>
bot123456789:<<R>>abcdefghijk/sendMessage
"""
"""Secrets in an element, a pair, a list, another address, the way of a program: <<R>> and <<H>> as above."""


@pytest.mark.parametrize("line", GIVEN_OTHERWISE.strip().split("\n"))
def test_a_secret_is_known_by_how_it_is_given(line: str) -> None:
    text = line.replace("<<R>>", R).replace("<<H>>", HEX).replace("\\n", "\n").replace("\\t", "\t")
    masked = mask_text(text)[0]
    assert not any(part in masked for part in (R, R[:22], HEX, "hunter", "two words", *OTHER_SECRETS))


OTHER_SECRETS = (
    "AB12CD34",
    "ab12cd34",
    "LS0tLS1CR",
    "b3BlbnNz",
    "eyJhdXRoc",
    "E92FB7EB",
    "3f2b8c1e",
    "aB3%2FdE5",
    "eyJ1Ijo",
)

HARMLESS = r"""
set GITHUB_TOKEN or GH_TOKEN: `pull-requests: write` in the workflow
max_tokens=512
"max_tokens": 512, "token_count": 17
total_tokens=18823 prompt_tokens: 1234
pass@1: 0.42
exact_match,strict-match=0.5
sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
model_sha=0123456789abcdef0123456789abcdef01234567
pretrained=Qwen/Qwen3-4B-Instruct-2507,dtype=bfloat16
meta-llama/Meta-Llama-3.1-8B-Instruct-Q8_0.gguf
https://huggingface.co/Qwen/Qwen3-4B-Instruct-2507/resolve/0123456789abcdef0123456789abcdef01234567/config.json
https://github.com/o/r/commit/0123456789abcdef0123456789abcdef01234567
https://host/v1/chat/completions
https://host/v1/models/Qwen3-4B-Instruct-2507-Q8_0
https://host:8000/v1
tokenizer=Qwen/Qwen3-4B,add_bos_token=True
eos_token: <|endoftext|>
["pass", "fail"]
['token', 'word']
("key", "value")
<|im_start|>system
<think>the password is a word</think>
<answer>token</answer>
the password "is" not secret
the secret "ingredient" is love
the token "the" is common
What is the passphrase? Say "open sesame".
dict key 'answer_key': 'B'
metric_key: exact_match
hf-internal-testing/tiny-random-LlamaForCausalLM
{"name": "exact_match", "value": 0.5}
{"name": "max_gen_toks", "value": 512}
{"name": "token", "value": 5}
v4.0.1 v2.local build
re_compile_everything_now
pa-very-long-word-that-is-not-a-key
gen_kwargs: {"stop_token": "\\n\\n", "max_tokens": 5}
stop_token="</s>"
lm_eval --tasks gsm8k --limit 5 --seed 1234
--tokenizer Qwen/Qwen3-4B --max-tokens 5
key=question
sort_key: accuracy
git_hash=0123456
chat_template_sha=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
doc_hash 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
3f2b8c1e-9d47-4a6b-8e21-5c7f0a9b1d34
samples_gsm8k_2026-01-01T00-00-00.000000.jsonl
batch_size=auto:4
user@host:/path/to/model
me@example.org
def check(token: str, key: int) -> bool:
first-token latency: 12.5
"token_ids": [1, 2, 3]
<token_count>15</token_count>
<max_tokens>512</max_tokens>
("max_tokens", "512")
("tokenizer", "Qwen/Qwen3")
--max_tokens 512 --stop-token END
https://api.example/v1/3f2b8c1e/run
https://docs.example/v2/getting-started-with-evaluation
https://host/v1/DeepSeek-R1-Distill-Qwen-32B
set -x HF_HOME /models
ENV PATH /usr/bin
| metric | value |
| tokens | 512 |
ratio 3/4@n=5
acc/f1@10
the bearer: 12 people carried it
the token is <|endoftext|>
the next token is internationalization1 and nothing else
the cache key is 0123456789abcdef0123456789abcdef01234567
{"eos_token": {"value": "<|im_end|>", "id": 2}}
"token": {"value": 151645}
a pass phrase: three words
wandb login and then run
wandb login --relogin
ngrok authtoken is wanted
TOKEN\nIDs are numbers
api-key header missing
key_base: 10
bot12345: hello
jdbc:sqlite:file.db
"""


@pytest.mark.parametrize("text", HARMLESS.strip().split("\n"))
def test_a_metric_a_hash_a_model_and_a_count_are_no_secrets(text: str) -> None:
    assert mask_text(text) == (text, 0)


@pytest.mark.parametrize(
    "value",
    [["password", "hunter2x"], {"name": "HF_TOKEN", "value": "plainword"}, {"key": "password", "value": "plainword"}],
)
def test_a_pair_in_data_is_known_by_its_first_half(value: Json) -> None:
    assert not any(secret in str(mask(value)) for secret in ("hunter2x", "plainword"))


PLUGINS = (
    *("aws.AWSKeyDetector", "basic_auth.BasicAuthDetector", "discord.DiscordBotTokenDetector"),
    *("github_token.GitHubTokenDetector", "gitlab_token.GitLabTokenDetector", "mailchimp.MailchimpDetector"),
    *("npm.NpmDetector", "openai.OpenAIDetector", "pypi_token.PypiTokenDetector", "sendgrid.SendGridDetector"),
    *("slack.SlackDetector", "square_oauth.SquareOAuthDetector", "stripe.StripeDetector"),
    *("telegram_token.TelegramBotTokenDetector", "azure_storage_key.AzureStorageKeyDetector"),
)


@pytest.mark.parametrize("name", PLUGINS)
@settings(max_examples=15)
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
