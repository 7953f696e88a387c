# SPDX-License-Identifier: Apache-2.0

"""The functions of libdialtone, with their types. dialtone.h documents them."""

import ctypes
import errno
import os
from ctypes import POINTER, c_bool, c_char_p, c_int, c_size_t, c_uint, c_uint32, c_void_p

_FORKED = (
    "dialtone cannot be used in a process that was forked after its first call:"
    ' use multiprocessing\'s start method "spawn" or "forkserver"'
)

try:
    library = ctypes.CDLL(os.environ.get("DIALTONE_LIBRARY") or "libdialtone.so.1", use_errno=True)
except OSError as error:
    raise ImportError(
        f"{error}: install libdialtone, which `make library` or the Debian package libdialtone1 provides, or set DIALTONE_LIBRARY to its file"
    ) from error

for _name, _result, _arguments in [
    ("path_copy_current", c_void_p, []),
    ("path_copy_verified", c_void_p, [c_int]),
    ("set_endpoints", c_int, [POINTER(c_char_p), c_size_t]),
    ("set_interface_cost", c_int, [c_char_p, c_bool, c_bool]),
    ("path_get_status", c_uint, [c_void_p]),
    ("path_get_connectivity", c_uint, [c_void_p]),
    ("path_get_reason", c_char_p, [c_void_p]),
    ("path_get_cause", c_char_p, [c_void_p]),
    ("path_get_portal_url", c_char_p, [c_void_p]),
    ("path_get_unsatisfied_reason", c_uint, [c_void_p]),
    ("path_is_expensive", c_bool, [c_void_p]),
    ("path_is_constrained", c_bool, [c_void_p]),
    ("path_has_ipv4", c_bool, [c_void_p]),
    ("path_has_ipv6", c_bool, [c_void_p]),
    ("path_has_dns", c_bool, [c_void_p]),
    ("path_uses_interface_type", c_bool, [c_void_p, c_uint]),
    ("path_get_interface", c_void_p, [c_void_p, c_size_t]),
    ("interface_get_name", c_char_p, [c_void_p]),
    ("interface_get_type", c_uint, [c_void_p]),
    ("interface_get_index", c_uint32, [c_void_p]),
    ("path_get_gateway", c_char_p, [c_void_p, c_size_t]),
    ("path_release", None, [c_void_p]),
    ("path_monitor_create", c_void_p, []),
    ("path_monitor_require_interface_type", c_int, [c_void_p, c_uint]),
    ("path_monitor_prohibit_interface_type", c_int, [c_void_p, c_uint]),
    ("path_monitor_verify_internet", c_int, [c_void_p]),
    ("path_monitor_start", c_int, [c_void_p]),
    ("path_monitor_get_fd", c_int, [c_void_p]),
    ("path_monitor_copy_path", c_void_p, [c_void_p]),
    ("path_monitor_release", None, [c_void_p]),
]:
    try:
        _function = getattr(library, "dialtone_" + _name)
    except AttributeError as error:
        raise ImportError(f"{error}: libdialtone is older than this package") from error
    _function.restype, _function.argtypes = _result, _arguments


def call(name: str, *arguments: object) -> int:
    """Calls a function that returns a number; raises OSError for a negative one."""
    result = int(getattr(library, "dialtone_" + name)(*arguments))
    if result < 0:
        raise _error(-result)
    return result


def new(name: str, *arguments: object) -> int:
    """Calls a function that returns a new object; raises OSError for NULL."""
    pointer = getattr(library, "dialtone_" + name)(*arguments)
    if not pointer:
        raise _error(ctypes.get_errno())
    return int(pointer)


def _error(number: int) -> OSError:
    return OSError(number, _FORKED if number == errno.ECHILD else os.strerror(number))
