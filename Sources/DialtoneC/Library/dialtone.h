/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Is this machine online, over which interface, is it really the Internet, and if not, why?
 *
 * A dialtone_path_t is a snapshot of the answer. dialtone_path_copy_current() reads one; a dialtone_path_monitor_t reports each
 * change, by a file descriptor for an event loop, or by a handler on a thread of the library. The shapes are those of
 * nw_path_monitor_create() and its relatives in Apple's Network framework.
 *
 * Errors. A function that returns int returns 0, or a negative number from errno.h. A function that returns a pointer to a new
 * object returns NULL and sets errno. A function that reads a property never fails: of NULL, and of an index that is too large,
 * it returns 0, false or NULL. Every function that takes a pointer accepts NULL. As in Swift programs, the library ends the
 * process if there is no memory.
 *
 * Ownership. A function with "create" or "copy" in its name returns a reference, which its _release() function ends. Texts and
 * interfaces belong to the path that they were read from. Texts are UTF-8.
 *
 * Threads. All functions may be called from any thread at any time, as long as the caller has a reference. The library starts
 * no thread and opens no descriptor before the first monitor starts, or the first call that reads the network. Its threads block
 * all signals, and its descriptors are closed on exec.
 *
 * fork(). A child process that was forked after the first call of a function other than those that read a path cannot use
 * the library before it calls exec: these functions return ECHILD, and releasing a monitor has no effect. Paths that were copied
 * before can still be read and released. A child must not read a monitor's descriptor, which it shares with its parent. Fork
 * before the first call, as daemons do, and everything works in the child.
 *
 * Network namespaces. A monitor watches the namespace of the thread that starts it.
 *
 * dlopen(). The library stays loaded after dlclose(), because its threads may run. Two copies of the library in one process, and
 * the library in a program that is written in Swift, work independently of each other.
 */

#ifndef DIALTONE_H
#define DIALTONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What is known about the network at one moment; immutable and reference counted. */
typedef struct dialtone_path dialtone_path_t;

/** An interface of a path; it belongs to the path. */
typedef struct dialtone_interface dialtone_interface_t;

/** Reports changes of the path; reference counted. */
typedef struct dialtone_path_monitor dialtone_path_monitor_t;

/** Whether there is a path. The values are Apple's. */
typedef enum {
    /** The path is NULL. */
    DIALTONE_PATH_STATUS_INVALID = 0,
    /** There is a path: packets to the Internet can leave this machine. */
    DIALTONE_PATH_STATUS_SATISFIED = 1,
    /** There is no path. */
    DIALTONE_PATH_STATUS_UNSATISFIED = 2,
    /** There is no path, but connecting may bring one up: a link that dials on demand, or that waits for a login. */
    DIALTONE_PATH_STATUS_SATISFIABLE = 3
} dialtone_path_status_t;

/** Why there is no path, in Apple's terms and with Apple's values. dialtone_path_get_reason() says more. */
typedef enum {
    DIALTONE_PATH_UNSATISFIED_REASON_NOT_AVAILABLE = 0,
    /** The modem is switched off (rfkill). */
    DIALTONE_PATH_UNSATISFIED_REASON_CELLULAR_DENIED = 1,
    /** Wi-Fi is switched off (rfkill), and nothing else is on. */
    DIALTONE_PATH_UNSATISFIED_REASON_WIFI_DENIED = 2
} dialtone_path_unsatisfied_reason_t;

/** The kind of a link. The values are Apple's. */
typedef enum {
    /** A tunnel, or anything that the other values do not describe. */
    DIALTONE_INTERFACE_TYPE_OTHER = 0,
    DIALTONE_INTERFACE_TYPE_WIFI = 1,
    /** A modem of a mobile network. */
    DIALTONE_INTERFACE_TYPE_CELLULAR = 2,
    /** Real or virtual Ethernet that is not a tunnel. */
    DIALTONE_INTERFACE_TYPE_WIRED = 3,
    DIALTONE_INTERFACE_TYPE_LOOPBACK = 4
} dialtone_interface_type_t;

/** Whether this machine is online, as far as the source of a path checked it. */
typedef enum {
    /** The network cannot be read, or the path is NULL. */
    DIALTONE_CONNECTIVITY_UNKNOWN = 0,
    /** There is no path. */
    DIALTONE_CONNECTIVITY_OFFLINE = 1,
    /** There is no path, but connecting may bring one up. */
    DIALTONE_CONNECTIVITY_SATISFIABLE = 2,
    /** There is a path; whether it leads to the Internet has not been checked, or could not be determined. */
    DIALTONE_CONNECTIVITY_UNVERIFIED = 3,
    /** The network requires a login first. */
    DIALTONE_CONNECTIVITY_CAPTIVE_PORTAL = 4,
    /** There is a path, but the Internet cannot be reached, or only partly. */
    DIALTONE_CONNECTIVITY_LIMITED = 5,
    /** The Internet has answered. */
    DIALTONE_CONNECTIVITY_ONLINE = 6
} dialtone_connectivity_t;

/* --- Reading the network once ------------------------------------------------------------------------------------------- */

/**
 * Reads the current path from the kernel, and sends no packet.
 *
 * It takes less than a millisecond, and up to 0.3 seconds if NetworkManager is slow to report what the links cost. If the kernel
 * or a sandbox refuses access, the path's connectivity is DIALTONE_CONNECTIVITY_UNKNOWN, and its reason says why.
 *
 * @return a new path; NULL with ECHILD
 */
dialtone_path_t *dialtone_path_copy_current(void);

/**
 * Checks with real requests whether the Internet answers, and waits for the result.
 *
 * Without a path it returns at once. Each check queries the endpoints of dialtone_set_endpoints().
 *
 * @param timeout the longest time to wait, in milliseconds; negative for no limit: a check ends after about ten seconds
 * @return a new path with the result; NULL with ETIMEDOUT, ECHILD, or EDEADLK in a handler
 */
dialtone_path_t *dialtone_path_copy_verified(int timeout);

/**
 * Waits until there is a path; it returns at once if there is one. A signal's handler runs meanwhile, and does not end the wait.
 *
 * @param timeout the longest time to wait, in milliseconds; negative for no limit
 * @return 0; -ETIMEDOUT, -ECHILD, or -EDEADLK in a handler
 */
int dialtone_wait_for_path(int timeout);

/**
 * Waits until the Internet has answered, as dialtone_wait_for_path() waits for a path. It checks when the path changes, and
 * repeats failed checks after 1, 2, 4, … and at most 60 seconds.
 */
int dialtone_wait_for_internet(int timeout);

/**
 * Replaces the endpoints that this process queries to verify the Internet; before the first check.
 *
 * Each is a URL whose answer must be an empty 204, or a URL and the expected answer: "https://example.org/ok.txt body:OK",
 * "http://example.org/204 status:204". The default endpoints belong to six independent operators (Google, Apple, Cloudflare,
 * GrapheneOS, Fedora, Ubuntu); a check queries each over HTTP and HTTPS.
 *
 * @return 0; -EINVAL if there is none, or for an invalid one; -EBUSY after the first check; -ECHILD
 */
int dialtone_set_endpoints(const char *const endpoints[], size_t count);

/**
 * Sets what an interface costs in this process, instead of what NetworkManager reports or its type suggests. Every path changes
 * at once. Linux itself knows no constrained links: only this function makes a path constrained.
 *
 * @param interface the interface's name; it may appear later
 * @return 0; -EINVAL, -ECHILD
 */
int dialtone_set_interface_cost(const char *interface, bool is_expensive, bool is_constrained);

/* --- The properties of a path -------------------------------------------------------------------------------------------- */

/** @return whether there is a path */
dialtone_path_status_t dialtone_path_get_status(const dialtone_path_t *path);

/** @return whether this machine is online; never ONLINE, LIMITED or CAPTIVE_PORTAL if the source of the path checks nothing */
dialtone_connectivity_t dialtone_path_get_connectivity(const dialtone_path_t *path);

/**
 * @return a sentence for a user that says why this machine is not online, such as "No carrier on eth0: is the cable in?"; NULL
 *     while it is online, and while there is a path from a source that checks nothing
 */
const char *dialtone_path_get_reason(const dialtone_path_t *path);

/** @return the URL of the login page, which the network chose: check it before you open it; NULL if there is none */
const char *dialtone_path_get_portal_url(const dialtone_path_t *path);

/** @return why there is no path, in Apple's terms */
dialtone_path_unsatisfied_reason_t dialtone_path_get_unsatisfied_reason(const dialtone_path_t *path);

/** @return whether traffic is charged by volume: a modem, a link that NetworkManager considers metered, or as set by the program */
bool dialtone_path_is_expensive(const dialtone_path_t *path);

/** @return whether the path should be used sparingly, as set by dialtone_set_interface_cost() */
bool dialtone_path_is_constrained(const dialtone_path_t *path);

/** @return whether IPv4 packets can leave */
bool dialtone_path_has_ipv4(const dialtone_path_t *path);

/** @return whether IPv6 packets can leave */
bool dialtone_path_has_ipv6(const dialtone_path_t *path);

/** @return whether a name server is configured */
bool dialtone_path_has_dns(const dialtone_path_t *path);

/** @return whether the path uses an interface of this type, also as the carrier of a tunnel */
bool dialtone_path_uses_interface_type(const dialtone_path_t *path, dialtone_interface_type_t type);

/** @return whether two paths have the same properties; two NULLs have */
bool dialtone_path_is_equal(const dialtone_path_t *path, const dialtone_path_t *other);

/** @return the usable interface with an index from 0, the most preferred first; NULL after the last one */
const dialtone_interface_t *dialtone_path_get_interface(const dialtone_path_t *path, size_t index);

/** @return the interface's name, such as "eth0" */
const char *dialtone_interface_get_name(const dialtone_interface_t *interface);

/** @return the interface's type */
dialtone_interface_type_t dialtone_interface_get_type(const dialtone_interface_t *interface);

/** @return the interface's index in the kernel, as of if_nametoindex(3) */
uint32_t dialtone_interface_get_index(const dialtone_interface_t *interface);

/**
 * @return the address of the router with an index from 0, such as "192.0.2.1" or "fe80::1%eth0"; NULL after the last one
 */
const char *dialtone_path_get_gateway(const dialtone_path_t *path, size_t index);

/** Adds a reference. @return the path */
dialtone_path_t *dialtone_path_retain(dialtone_path_t *path);

/** Ends a reference. */
void dialtone_path_release(dialtone_path_t *path);

/* --- Monitoring ---------------------------------------------------------------------------------------------------------- */

/**
 * Called with each path on a thread of the library; the path lives until the handler returns, unless the handler retains it.
 *
 * The handlers of all monitors are called one at a time: while one blocks, the others wait. A monitor whose handler is slow
 * skips to the newest path. A handler may call every function, but those that wait return EDEADLK.
 */
typedef void (*dialtone_path_handler_t)(dialtone_path_t *path, void *context);

/** Called once, after the last call of the update handler: the place to free its context. */
typedef void (*dialtone_cancel_handler_t)(void *context);

/**
 * Creates a monitor of all interfaces, which is configured by the functions below and then started.
 *
 * @return a new monitor; NULL with ECHILD
 */
dialtone_path_monitor_t *dialtone_path_monitor_create(void);

/** Limits the monitor to interfaces of a type. @return 0; -EINVAL, -EBUSY after the start, -ECHILD */
int dialtone_path_monitor_require_interface_type(dialtone_path_monitor_t *monitor, dialtone_interface_type_t type);

/** Excludes interfaces of a type; may be called for several types. @return 0; -EINVAL, -EBUSY after the start, -ECHILD */
int dialtone_path_monitor_prohibit_interface_type(dialtone_path_monitor_t *monitor, dialtone_interface_type_t type);

/**
 * Makes the monitor verify the Internet behind the path with real requests: when the path changes, and then every 60 seconds.
 *
 * All monitors of a process share the checks, in the network namespace of the first one. The first path is reported within
 * three seconds, even if it is still unverified.
 *
 * @return 0; -EINVAL, -EBUSY after the start, -ECHILD
 */
int dialtone_path_monitor_verify_internet(dialtone_path_monitor_t *monitor);

/**
 * Sets the handler that is called with the current path soon after the start, and then with each change.
 *
 * @return 0; -EINVAL, -EBUSY after the start, -ECHILD
 */
int dialtone_path_monitor_set_update_handler(
    dialtone_path_monitor_t *monitor, dialtone_path_handler_t handler, void *context);

/**
 * Sets the handler that is called when a monitor that was started has been cancelled.
 *
 * @return 0; -EINVAL, -EBUSY after the start, -ECHILD
 */
int dialtone_path_monitor_set_cancel_handler(
    dialtone_path_monitor_t *monitor, dialtone_cancel_handler_t handler, void *context);

/**
 * Starts the monitor.
 *
 * @return 0; -EINVAL for NULL, and for a monitor that verifies the Internet but does not allow all types of interface;
 *     -EALREADY, -ECANCELED after dialtone_path_monitor_cancel(), -ECHILD
 */
int dialtone_path_monitor_start(dialtone_path_monitor_t *monitor);

/**
 * The descriptor for poll(2) and event loops. It becomes readable when there is a path that was not copied yet; after the first
 * path that is so after each change. Do not read from it or close it: dialtone_path_monitor_copy_path() makes it wait for the
 * next change. It is valid until the last reference to the monitor is released. It may be requested before or after the start.
 *
 * @return the descriptor; -EINVAL, -EMFILE, -ENFILE, -ECANCELED, -ECHILD
 */
int dialtone_path_monitor_get_fd(dialtone_path_monitor_t *monitor);

/**
 * Copies the newest path, or the last one before dialtone_path_monitor_cancel().
 *
 * @return a path; NULL with EAGAIN before the first one, EINVAL, ECHILD
 */
dialtone_path_t *dialtone_path_monitor_copy_path(dialtone_path_monitor_t *monitor);

/**
 * Stops the monitor for good; it may be called in a handler. After this, the path does not change and no update handler begins,
 * but one that runs on the library's thread may still run to its end; then the cancel handler is called.
 *
 * @return 0, also if it was cancelled before; -EINVAL, -ECHILD
 */
int dialtone_path_monitor_cancel(dialtone_path_monitor_t *monitor);

/** Adds a reference. @return the monitor */
dialtone_path_monitor_t *dialtone_path_monitor_retain(dialtone_path_monitor_t *monitor);

/** Ends a reference; ending the last one cancels the monitor. */
void dialtone_path_monitor_release(dialtone_path_monitor_t *monitor);

#ifdef __cplusplus
}
#endif

#endif
