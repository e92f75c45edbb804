"""What a secret looks like in a text. Patterns only; secret_shapes.py uses them.

The prefixes are those that the issuers document for scanners; a test holds them against detect-secrets' plugins.
"""

MARK = r"(?:\\{0,3}[\"'`]|%22|%27|&(?:quot|apos|#34|#39|#x27);)"
"""A quote, also inside a text that is quoted itself, part of an address or of a page."""

ASSIGNED = (
    rf"(?:{MARK}|\*\*)?\]?\s{{0,8}}(?:=>|[=:：]|%3D|%3A|\\u003[ad])(?:\*\*)?\s{{0,8}}(?:[a-z][\w.]{{0,40}}\()?{MARK}?"
    r"(?:(?:bearer|basic|token|apikey|api-key|digest|negotiate|bot|splunk|sharedkey)(?:\s{1,8}|%20))?"
)
"""Between a name and its value: `=`, `:` or `=>`, also with a call (`key=Key("…")`) or a scheme."""

BESIDE = (
    rf"{MARK}?,?\s{{1,20}}{MARK}?value{MARK}?\s{{0,8}}[=:]\s{{0,8}}{MARK}?"  # {"name": "TOKEN", "value": "…"}
    rf"|{MARK}?(?:>|&gt;)\s{{0,8}}"  # <password>…
    rf"|{MARK},\s{{0,8}}{MARK}"  # ("password", "…")
    r"|\s{0,8}\|\s{0,8}"  # | password | … |
    rf"|\s{{1,8}}{MARK}?"  # PASSWORD '…', setenv TOKEN …
)
"""Between a name and its value where no sign assigns it: secret_shapes.py asks for more before it believes in them."""

NAMED = (
    r"(?P<key>(?:token|key|secrets?|password|passwd|passphrase|passcode|pass|pwd|pat|auth|authorization|cred(?:ential)?s?"
    r"|signature|sig|sas|jwt|cookie|(?:j|php)?sess(?:ion)?id|connect\.sid|auth_?header|webhook_?url|session_?id"
    r"|(?:key|secret)_?id)(?:[_\-][a-z0-9]{1,20}){0,2})"
    rf"(?P<between>{ASSIGNED}|{BESIDE})"
    # up to its closing quote where it is quoted, otherwise one word
    r"(?P<value>(?<=[\"'`])[^\"'`\\\n]{1,200}(?=\\{0,3}[\"'`])"
    r"|(?:(?!\\+[\"']|%2[267C]|%7D)[^\s,;&\"'`<>(){}\[\]|])+)"
)
"""A name, and the value that is given to it."""

OPTION = (
    r"--(?P<key>[a-z0-9][\w\-]{0,60})"
    rf"(?P<between>(?:{MARK},\s{{0,8}}|\s{{1,8}}(?:-\s{{1,8}})?){MARK}?)"
    r"(?P<value>[^\s,;&\"'`<>(){}\[\]\-\\][^\s\"'\\]*)"
)
"""An option of a command, and the word after it, in a line or in a list."""

BODY = r"(?=[\w.\-]{0,60}?(?-i:[A-Z0-9]))[\w.\-]"
"""A sign of a token that is not all small letters: those are a word."""

FORTY = r"(?=[a-z/+]{0,39}\d)[a-z0-9/+]{40}(?![a-z0-9/+=])"
"""A secret of AWS: forty signs, a digit among them."""

PREFIXES: tuple[tuple[str, str, str], ...] = (
    ("hf_", r"hf_(?:[a-z]{2,8}_)?", r"[a-z0-9.]{16,}"),
    ("sk-", r"sk-|sk-(?:ant|proj|or|svcacct|admin)-", BODY + "{15,}"),
    ("k_live_ k_test_ k_prod_ whsec_", r"[srw]k_(?:live|test|prod)_|whsec_", r"[a-z0-9]{10,}"),
    ("ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_", r"[a-z0-9_]{20,}"),
    ("github_pat_", r"github_pat_", r"[a-z0-9_]{20,}"),
    (
        "glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glimt- glagent- gloas- glffct- gr1348941",
        r"gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas|ffct)-|GR1348941",
        r"[a-z0-9_\-.=]{16,}",
    ),
    ("xox xapp-", r"xox[a-z](?:\.xox[a-z])?-|xapp-", r"[a-z0-9\-]{3,}"),
    (
        "gsk_ r8_ npm_ fw_ tgp_v1_ csk- jina_ pcsk_ lsv2_ wandb_v1_ cpk_ together_ tvly- fc- bb_live_",
        r"gsk_|r8_|npm_|fw_|tgp_v1_|csk-|jina_|pcsk_|lsv2_(?:pt|sk)_|wandb_v1_|cpk_|together_|tvly-|fc-|bb_live_",
        BODY + "{16,}",
    ),
    (
        "nvapi- xai- pplx- pypi- _v1_ lin_api_ dckr_pat_ rubygems_ sntry sbp_ sb_secret_",
        r"nvapi-|xai-|pplx-|pypi-|dop_v1_|doo_v1_|dor_v1_|lin_api_|dckr_pat_|rubygems_|sntry[su]_|sbp_|sb_secret_",
        BODY + "{16,}",
    ),
    (
        "shp pscale_ figd_ glsa_ glc_ ntn_ phx_ nfp_ ops_ rdme_ tfp_ duffel_",
        r"shp(?:at|ss|ca|pa)_|pscale_(?:tkn|pw|oauth)_|figd_|gl(?:sa|c)_|ntn_|phx_|nfp_|ops_|rdme_|tfp_|duffel_",
        BODY + "{16,}",
    ),
    (
        "pmak- atatt3 atctt3 cfpat- xkeysib- sq0 p8e- akc cmvmd ltai flwseck",
        r"PMAK-|ATATT3|ATCTT3|CFPAT-|xkeysib-|sq0(?:csp|atp)-|p8e-|AKCp?|cmVmd|LTAI|FLWSECK(?:_TEST)?-",
        BODY + "{16,}",
    ),
    (
        "hvs. hvb. hvr. dp. dt0c01. sg. ya29. 1//0 eaaa",
        r"hv[sbr]\.|dp\.(?:pt|st|ct|sa|scim|audit)\.|dt0c01\.|SG\.|ya29\.|1//0|EAAA",
        r"[\w.\-]{20,}",
    ),
    (
        "nrak- rpa_ akid aklt absk atbb fm1_ fm2_ npg_",
        r"NRAK-|rpa_|AKID|AKLT|ABSK|ATBB|fm[12]_|npg_",
        r"(?=[\w.\-]{0,60}?\d)" + BODY + "{20,}",
    ),
    ("tskey-", r"tskey-[a-z]{3,12}-", BODY + "{10,}"),
    (
        "ak- as- secret_",
        r"a[ks]-|secret_(?:[a-z]{2,20}_)?",
        r"(?-i:(?=[A-Za-z0-9]{0,60}\d)(?=[A-Za-z0-9]{0,60}[A-Z])"
        r"[A-Za-z0-9]{20,}(?![\w-]))",
    ),
    ("key-", r"key-", r"[a-f0-9]{32}"),
    ("age-secret-key", r"age-secret-key-1", r"[a-z0-9]{40,}"),
    ("dapi", r"dapi", r"[a-f0-9]{32}"),
    (
        "gocspx- e2b_ phc_ phx_ clojars_ bedrock-api-key amzn.mws secret-token:",
        r"GOCSPX-|e2b_|ph[cx]_|CLOJARS_|bedrock-api-key-|amzn\.mws\.|secret-token:",
        r"[\w\-]{20,}",
    ),
    ("pat- pa-", r"pat-[a-z]{2}\d-|pa-", r"(?=[\w\-]{0,60}?\d)[\w\-]{36,}"),
    ("pat", r"pat[a-z0-9]{14}\.", r"[a-f0-9]{64}"),
    ("sl.", r"sl\.", r"[\w\-]{100,}"),
    (".local. .public.", r"v[1-4]\.(?:local|public)\.", r"[\w\-]{30,}"),
    # a private key's first words in base64
    ("ls0tls1 b3blbnn", r"LS0tLS1CRUdJTi|b3BlbnNzaC1rZXkt", r"[a-z0-9+/_=\-]{20,}"),
    ("aiza", r"AIza", r"[a-z0-9_\-]{30,}"),
    # an id of AWS, and the secret that is mostly written behind it
    (
        "akia asia abia acca a3t",
        r"(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])",
        r"[A-Z0-9]{16}(?![A-Z0-9])"
        r"(?:[^a-z0-9/+]{1,4}(?:[a-z_]{1,30}[^a-z0-9/+]{1,4})?" + FORTY + ")?",
    ),
)
"""Words without which a text holds no such token, how its issuer begins it, and what follows.

Each is a pattern of its own: compiling all of them costs more than reading a small run.
"""

VALUE = r"(?!\*\*\*)[^\s,;&\"'<>(){}\[\]]{3,}"

UNNAMED: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        ("://", ":\\/"),
        # https://TOKEN@host and https://TOKEN:x@host
        r"(?P<before>:(?:\\?/){2})(?:(?=[^\s/:@]{0,200}\d)[^\s/:@,;\"'<>]{8,200}|[^\s/:@,;\"'<>]{20,200})"
        r"(?::[^\s@,;\"'<>]{0,200})?(?=@)",
    ),
    (
        ("://", ":\\/"),
        # scheme://user:pass/word@host; a port before a path is no password
        r"(?P<before>:(?:\\?/){2}[^\s/:@]{0,200}:(?!\d{1,5}(?:\\?[/?#]|$)|\*\*\*@))[^\s,;\"'<>]{1,200}(?=@)",
    ),
    (
        ("2f%",),
        # the same two inside another address
        r"(?P<before>%(?:25)?3A(?:%(?:25)?2F){2}(?:(?!%(?:25)?3A)[^\s/:@,;\"'<>&]){0,200}%(?:25)?3A)"
        r"(?:(?!%(?:25)?40)[^\s@,;\"'<>&]){1,200}(?=%(?:25)?40)",
    ),
    (
        ("2f%",),
        r"(?P<before>%(?:25)?3A(?:%(?:25)?2F){2})(?:(?!%)[^\s/:@,;\"'<>&]){16,200}(?=%(?:25)?40)",
    ),
    (
        ("://",),
        # a key as a part of an address: behind its version, behind its own name, or alone
        r"(?P<before>://[^\s/,;\"'<>]{1,200}(?:/[^\s/,;\"'<>?#]{1,60}){0,6}?/"
        r"(?:v\d{1,2}/(?=(?-i:[A-Za-z0-9_]{0,60}\d)[\w\-]{16,})(?=(?-i:(?=[\w\-]{0,60}[a-z])[\w\-]{0,60}[A-Z])"
        r"|[a-f0-9]{32,64}(?![\w\-]))(?![a-z]{1,20}-)"
        r"|(?:key|token|apikey|api[_\-]key|secret|password)/(?=[^\s/]{0,60}\d)(?=[^\s/]{8})))"
        r"[^\s/,;&\"'<>(){}\[\]?#]+",
    ),
    (
        ("://",),
        r"(?P<before>://(?:rpc\.[^\s/]{1,200}(?:/[a-z0-9\-]{1,30})?|[^\s/]{1,200})/)[a-f0-9]{32,64}(?=/?(?:[\s\"'?]|$))",
    ),
    (
        ("auth",),
        # requests' and httpx' own way
        rf"(?P<before>auth\s{{0,4}}=?\s{{0,4}}\(\s{{0,4}}{MARK}[^\s\"']{{0,100}}{MARK},\s{{0,8}}{MARK})"
        r"(?!\*\*\*)[^\"'\\\n]{1,200}",
    ),
    (("digest",), r"(?P<before>\bdigest\b[^\n]{0,400}?\bresponse=\\?[\"']?)[a-f0-9]{32,64}"),
    (("true\t", "false\t"), r"(?P<before>\t(?:true|false)\t\d{1,20}\t[^\s]{1,200}\t)[^\s]{6,4096}"),
    (
        ("thin:", "sqlplus", "smbclient", "pass:", "identified by", "ssh-keygen"),
        r"(?P<before>(?:\b(?:jdbc:oracle:thin:|sqlplus\s{1,8}(?:-\w{1,8}\s{1,8}){0,4})[^\s/@\"']{1,100}/(?=[^\s@]{1,100}@)"
        r"|\bsmbclient\b(?:(?![|;&\n]).){0,400}?\s-U\s{0,8}[\"']?[^\s%\"']{1,100}%"
        r"|(?<=\s)-pass(?:in|out)?\s{1,8}pass:"
        r"|\bidentified\s{1,8}by\s{1,8}[\"']"
        r"|\bssh-keygen\b(?:(?![|;&\n]).){0,400}?\s-N\s{0,8}[\"']?))(?!\*\*\*)[^\s@;\"']{1,200}",
    ),
    (
        ("?", "&"),
        r"(?P<before>[?&](?:key|sig|signature|sas|code|policy)=)" + VALUE,
    ),
    (
        ("hook",),
        r"(?P<before>https?://(?:hooks?\.[^\s/]{1,100}/(?:[a-z][a-z0-9\-]{0,30}/){1,2}"
        r"|[^\s/]{1,100}/(?:[^\s/]{1,60}/){0,6}?(?:web)?hooks?(?:b2)?/(?=[^\s,;&\"'<>]{8})))"
        r"(?!\*\*\*)[^\s,;&\"'<>(){}\[\]?]+",
    ),
    (("bearer",), r"(?P<before>\bbearer(?:\s{1,8}|%20))" + VALUE),
    (
        ("authorization",),
        r"(?P<before>\bauthorization[\"']?\s{0,8}[:=]\s{0,8}[\"']?(?:[a-z][\w\-]{0,30}(?:\s{1,8}|%20))?)"
        r"(?=\S{0,400}\d)(?!\*\*\*)[^\s,;&\"'<>(){}\[\]]{6,}",
    ),
    *((tuple(words.split()), rf"(?P<before>)(?<![a-z0-9_])(?:{start}){rest}") for words, start, rest in PREFIXES),
    (("***",), r"(?P<before>\*\*\*[^a-z0-9/+]{1,4}(?:[a-z_]{1,30}[^a-z0-9/+]{1,4})?)" + FORTY),
    (
        ("eyj",),
        # at a word's start, or behind a hyphen: then only so far, since a chain of hyphens has many starts
        r"(?P<before>)(?:(?<![a-z0-9_\-])eyj[a-z0-9_\-]{8,}|(?<=-)eyj[a-z0-9_\-]{8,400})\.[a-z0-9_\-]{8,}"
        r"(?:\.[a-z0-9_\-]+)?",
    ),
    (("eyj",), r"(?P<before>)(?<![\w.+/\-])eyj[a-z0-9+/_\-]{40,}={0,2}"),  # a JSON object in base64
    (
        ("",),
        # Telegram, Azure AD, Mailchimp, Twilio, Discord: no prefix, but a shape of their own
        r"(?P<before>)(?-i:(?:\b|(?<=\bbot))\d{8,10}:[A-Za-z0-9_\-]{35}|\b[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.\-]{31,34}"
        r"|\b[0-9a-z]{32}-us\d{1,2}\b|\b(?:SK|AC)[0-9a-f]{32}\b"
        r"|\b[MNO][A-Za-z\d_\-]{23,25}\.[A-Za-z\d_\-]{6}\.[A-Za-z\d_\-]{27,38})",
    ),
    (
        ("-u", "-p", "-a", "-w"),
        # a program's own short option for a password
        r"(?P<before>\b(?:curl\b(?:(?![|;&\n]).){0,400}?\s(?:-u|--(?:proxy-)?user)[\s=]{0,4}[\"']?[^\s:\"']{1,100}:"
        r"|(?:mysql\w*|mariadb[\w\-]*)\b(?:(?![|;&\n]).){0,400}?\s-p(?!\s)[\"']?"
        r"|sshpass\b(?:(?![|;&\n]).){0,400}?\s-p\s?[\"']?"
        r"|(?:docker|podman|nerdctl|helm|skopeo|oras|buildah|az|twine)\b(?:(?![|;&\n]).){0,200}?\b(?:login|upload)\b(?:(?![|;&\n]).){0,400}?\s-p\s?[\"']?(?!\d{1,5}:\d)"
        r"|redis-cli\b(?:(?![|;&\n]).){0,400}?\s-a\s?[\"']?|ldap\w+\b(?:(?![|;&\n]).){0,400}?\s-w\s?[\"']?))" + VALUE,
    ),
    (
        ("passw", "passphrase"),
        # `login me password p4ssw0rd`, `the password is p4ssw0rd`
        r"(?P<before>\b(?:password|passwd|passphrase)(?:\s{1,8}is)?\s{1,8}[\"'`]?)"
        r"(?=[^\s,;&\"'<>(){}\[\]]{0,60}\d)(?=[^\s,;&\"'<>(){}\[\]]{0,60}[a-z])" + VALUE.replace("{3,}", "{8,}"),
    ),
    (("machine",), r"(?P<before>\bmachine\s{1,8}\S{1,200}\s{1,8}login\s{1,8}\S{1,200}\s{1,8}password\s{1,8})" + VALUE),
    (
        ("apikey", "ssws", "sharedaccesssignature", "api-token", "api-key"),
        r"(?P<before>\b(?:apikey|ssws|sharedaccesssignature|api-token|api-key)\s{1,8})(?=[^\s,;&\"'<>(){}\[\]]{0,60}\d)"
        + VALUE.replace("{3,}", "{16,}"),
    ),
    (
        ("bearer", "pass phrase"),
        r"(?P<before>\b(?:bearer|pass\sphrase)[\"']?\s{0,4}[:=]\s{0,4}[\"']?)(?=[^\s,;&\"'<>(){}\[\]]{0,60}\d)"
        + VALUE.replace("{3,}", "{8,}"),
    ),
    (
        ("wandb", "ngrok"),
        # what a program is told of itself
        r"(?P<before>\b(?:wandb\s{1,8}login|ngrok\s(?:[a-z\-]{1,20}\s{1,8}){0,3}(?:add-)?authtoken)\s{1,8}"
        r"(?:--?[^\s]{1,100}\s{1,8}){0,4}[\"']?)(?=[\w\-]{0,100}\d)[\w\-]{20,}",
    ),
    (
        ("key is", "key was", "token is", "token was", "secret is", "secret was"),
        r"(?P<before>\b(?:api[ _\-]?key|token|secret)\s{1,4}(?:is|was)\s{0,4}:?\s{1,4}[\"'`]?)"
        r"(?=[\w\-]{0,100}\d[\w\-]{0,100}[a-z])[\w\-]{20,}(?![\w\-/.])",
    ),
    (
        ("token\n", "secret\n", "key\n", "password\n"),
        # a heading, and below it a word of small letters, capitals and digits
        r"(?P<before>(?-i:(?<![A-Za-z0-9_])[A-Z_]{0,40}(?:TOKEN|SECRET|KEY|PASSWORD))\n[ \t]{0,8})"
        r"(?-i:(?=[\w\-]{0,100}\d)(?=[\w\-]{0,100}[a-z])(?=[\w\-]{0,100}[A-Z]))[\w\-]{20,}(?=\s|$)",
    ),
    (
        ('value"', 'value\\"'),
        # an object in the place of a secret
        r"(?P<before>(?:token|secret|password|api_?key)\\?\"\s{0,8}:\s{0,8}\{\s{0,8}\\?\"value\\?\"\s{0,8}:\s{0,8}\\?\")"
        r"(?=[^\s\"\\]{0,100}\d)[^\s\"\\]{12,}",
    ),
    (("x-honeycomb-team",), r"(?P<before>\bx-honeycomb-team[\"']?\s{0,8}[:=]\s{0,8}[\"']?)" + VALUE),
    (
        ("$",),
        # a password as crypt, htpasswd and Argon2 keep it: it can be guessed from this
        r"(?P<before>)\$(?:apr1|[1567y]|2[abxy]?|argon2(?:id?|d))\$[./\w$=,+]{20,300}",
    ),
)
"""Secrets without a name, each with the words without which its pattern need not be tried."""

SPANS: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        ("private key",),
        r"(?P<before>)-----begin [a-z0-9 ]{0,40}private key[a-z ]{0,10}-----"
        r"(?:.*?-----end [a-z0-9 ]{0,40}private key[a-z ]{0,10}-----|.*)",
    ),
    (
        ("private-lines",),
        r"(?P<before>\bprivate-lines:\s{0,8}\d{1,4}\s)(?:.*?(?=private-mac:)|.*)",
    ),
)
"""Secrets of several words or lines, likewise."""
