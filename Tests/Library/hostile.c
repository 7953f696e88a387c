// SPDX-License-Identifier: Apache-2.0

// Uses the library in every wrong way that the header defines. Each argument names one; it prints "ok".

#include <dialtone.h>

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "line %d: %s (errno %d)\n", __LINE__, #condition, errno); \
            exit(1); \
        } \
    } while (0)

static int entries(const char *folder) {
    DIR *directory = opendir(folder);
    CHECK(directory);
    int count = 0;
    while (readdir(directory)) count++;
    closedir(directory);
    return count;
}

static void wait_for(dialtone_path_monitor_t *monitor) {
    struct pollfd event = {.fd = dialtone_path_monitor_get_fd(monitor), .events = POLLIN};
    CHECK(poll(&event, 1, 60000) == 1);
}

static void nulls(void) {
    CHECK(dialtone_path_get_status(NULL) == DIALTONE_PATH_STATUS_INVALID);
    CHECK(dialtone_path_get_connectivity(NULL) == DIALTONE_CONNECTIVITY_UNKNOWN);
    CHECK(!dialtone_path_get_reason(NULL) && !dialtone_path_get_cause(NULL) && !dialtone_path_get_portal_url(NULL));
    CHECK(dialtone_path_get_unsatisfied_reason(NULL) == 0);
    CHECK(!dialtone_path_is_expensive(NULL) && !dialtone_path_is_constrained(NULL));
    CHECK(!dialtone_path_has_ipv4(NULL) && !dialtone_path_has_ipv6(NULL) && !dialtone_path_has_dns(NULL));
    CHECK(!dialtone_path_uses_interface_type(NULL, DIALTONE_INTERFACE_TYPE_WIFI));
    CHECK(dialtone_path_is_equal(NULL, NULL));
    CHECK(!dialtone_path_get_interface(NULL, 0) && !dialtone_path_get_gateway(NULL, 0));
    CHECK(!dialtone_interface_get_name(NULL) && !dialtone_interface_get_type(NULL) && !dialtone_interface_get_index(NULL));
    CHECK(!dialtone_path_retain(NULL) && !dialtone_path_monitor_retain(NULL));
    dialtone_path_release(NULL);
    dialtone_path_monitor_release(NULL);
    CHECK(dialtone_path_monitor_require_interface_type(NULL, DIALTONE_INTERFACE_TYPE_WIFI) == -EINVAL);
    CHECK(dialtone_path_monitor_prohibit_interface_type(NULL, DIALTONE_INTERFACE_TYPE_WIFI) == -EINVAL);
    CHECK(dialtone_path_monitor_verify_internet(NULL) == -EINVAL);
    CHECK(dialtone_path_monitor_set_update_handler(NULL, NULL, NULL) == -EINVAL);
    CHECK(dialtone_path_monitor_set_cancel_handler(NULL, NULL, NULL) == -EINVAL);
    CHECK(dialtone_path_monitor_start(NULL) == -EINVAL && dialtone_path_monitor_cancel(NULL) == -EINVAL);
    CHECK(dialtone_path_monitor_get_fd(NULL) == -EINVAL);
    errno = 0;
    CHECK(!dialtone_path_monitor_copy_path(NULL) && errno == EINVAL);
    CHECK(dialtone_set_endpoints(NULL, 3) == -EINVAL && dialtone_set_interface_cost(NULL, true, true) == -EINVAL);
    const char *const missing[] = {NULL}, *const invalid[] = {"ftp://example.org"}, *const fine[] = {"http://192.0.2.1/204"};
    CHECK(dialtone_set_endpoints(missing, 1) == -EINVAL && dialtone_set_endpoints(invalid, 1) == -EINVAL);
    CHECK(dialtone_set_endpoints(fine, 0) == -EINVAL && dialtone_set_endpoints(fine, 1) == 0);
    CHECK(dialtone_set_interface_cost("", true, true) == -EINVAL);
    CHECK(dialtone_set_interface_cost("a-name-of-16-chr", true, true) == -EINVAL);

    dialtone_path_t *path = dialtone_path_copy_current();
    CHECK(path && dialtone_path_is_equal(path, path) && !dialtone_path_is_equal(path, NULL));
    CHECK(!dialtone_path_get_interface(path, 100) && !dialtone_path_get_gateway(path, SIZE_MAX));
    CHECK(!dialtone_path_uses_interface_type(path, (dialtone_interface_type_t)77));
    dialtone_path_release(path);
}

static void misuse(void) {
    dialtone_path_monitor_t *monitor = dialtone_path_monitor_create();
    CHECK(dialtone_path_monitor_require_interface_type(monitor, (dialtone_interface_type_t)77) == -EINVAL);
    CHECK(!dialtone_path_monitor_copy_path(monitor) && errno == EAGAIN);
    CHECK(dialtone_path_monitor_start(monitor) == 0 && dialtone_path_monitor_start(monitor) == -EALREADY);
    CHECK(dialtone_path_monitor_verify_internet(monitor) == -EBUSY);
    CHECK(dialtone_path_monitor_set_update_handler(monitor, NULL, NULL) == -EBUSY);
    wait_for(monitor);
    dialtone_path_t *path = dialtone_path_monitor_copy_path(monitor);
    CHECK(path);
    // After cancel, the last path stays; nothing starts again.
    CHECK(dialtone_path_monitor_cancel(monitor) == 0 && dialtone_path_monitor_cancel(monitor) == 0);
    CHECK(dialtone_path_monitor_start(monitor) == -ECANCELED);
    CHECK(dialtone_path_monitor_set_cancel_handler(monitor, NULL, NULL) == -EBUSY);
    dialtone_path_t *last = dialtone_path_monitor_copy_path(monitor);
    CHECK(dialtone_path_is_equal(path, last) && dialtone_path_monitor_get_fd(monitor) >= 0);
    dialtone_path_monitor_release(monitor);
    // A path outlives its monitor.
    CHECK(dialtone_path_get_status(last) != DIALTONE_PATH_STATUS_INVALID);
    CHECK(dialtone_path_retain(last) == last);
    dialtone_path_release(last);
    dialtone_path_release(last);
    dialtone_path_release(path);

    monitor = dialtone_path_monitor_create();
    CHECK(dialtone_path_monitor_verify_internet(monitor) == 0);
    CHECK(dialtone_path_monitor_require_interface_type(monitor, DIALTONE_INTERFACE_TYPE_WIFI) == 0);
    CHECK(dialtone_path_monitor_start(monitor) == -EINVAL);
    CHECK(dialtone_path_monitor_cancel(monitor) == 0 && dialtone_path_monitor_get_fd(monitor) == -ECANCELED);
    dialtone_path_monitor_release(monitor);
}

static struct {
    dialtone_path_monitor_t *monitor;
    sem_t ended;
    int updates, cancels, waited;
} cancelling;

static void cancel_in_handler(dialtone_path_t *path, void *context) {
    CHECK(context == &cancelling && path);
    cancelling.updates++;
    cancelling.waited = dialtone_wait_for_path(1000);
    CHECK(!dialtone_path_copy_verified(1000) && errno == EDEADLK);
    CHECK(dialtone_path_monitor_cancel(cancelling.monitor) == 0);
    dialtone_path_monitor_release(cancelling.monitor);
    CHECK(dialtone_path_get_status(path) != DIALTONE_PATH_STATUS_INVALID);
}

static void has_cancelled(void *context) {
    CHECK(context == &cancelling);
    cancelling.cancels++;
    sem_post(&cancelling.ended);
}

static void cancel(void) {
    sem_init(&cancelling.ended, 0, 0);
    for (int round = 1; round <= 100; round++) {
        cancelling.monitor = dialtone_path_monitor_create();
        dialtone_path_monitor_set_update_handler(cancelling.monitor, cancel_in_handler, &cancelling);
        dialtone_path_monitor_set_cancel_handler(cancelling.monitor, has_cancelled, &cancelling);
        CHECK(dialtone_path_monitor_start(cancelling.monitor) == 0);
        CHECK(sem_wait(&cancelling.ended) == 0);
        CHECK(cancelling.updates == round && cancelling.cancels == round && cancelling.waited == -EDEADLK);
    }
    // Releasing a started monitor cancels it.
    dialtone_path_monitor_t *monitor = dialtone_path_monitor_create();
    dialtone_path_monitor_set_cancel_handler(monitor, has_cancelled, &cancelling);
    CHECK(dialtone_path_monitor_start(monitor) == 0);
    dialtone_path_monitor_release(monitor);
    CHECK(sem_wait(&cancelling.ended) == 0 && cancelling.cancels == 101);
}

static int updates_of_all;
static sem_t updated;

static void count_update(dialtone_path_t *path, void *context) {
    (void)path;
    (void)context;
    if (++updates_of_all == 10000) sem_post(&updated);
}

static void many(void) {
    static dialtone_path_monitor_t *monitors[10000];
    sem_init(&updated, 0, 0);
    int threads = entries("/proc/self/task"), descriptors = entries("/proc/self/fd");
    for (int i = 0; i < 10000; i++) {
        CHECK((monitors[i] = dialtone_path_monitor_create()));
        dialtone_path_monitor_set_update_handler(monitors[i], count_update, NULL);
    }
    CHECK(entries("/proc/self/task") == threads && entries("/proc/self/fd") == descriptors);
    for (int i = 0; i < 10000; i++) CHECK(dialtone_path_monitor_start(monitors[i]) == 0);
    CHECK(sem_wait(&updated) == 0);
    // All of them share the threads and the sockets.
    CHECK(entries("/proc/self/task") <= threads + 8 && entries("/proc/self/fd") <= descriptors + 16);
    for (int i = 0; i < 10000; i++) dialtone_path_monitor_release(monitors[i]);
}

static void descriptors(void) {
    // Not more descriptors than the process may have.
    dialtone_path_monitor_t *monitors[64];
    int result = 0, count = 0;
    while (count < 64 && result >= 0) {
        monitors[count] = dialtone_path_monitor_create();
        result = dialtone_path_monitor_get_fd(monitors[count++]);
    }
    CHECK(result == -EMFILE);
    while (count) dialtone_path_monitor_release(monitors[--count]);
}

static void check_child(int (*body)(void)) {
    pid_t child = fork();
    if (child == 0) {
        alarm(10);
        _exit(body());
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static dialtone_path_monitor_t *parents_monitor;
static dialtone_path_t *parents_path;

static int use_parents_library(void) {
    CHECK(!dialtone_path_copy_current() && errno == ECHILD);
    CHECK(!dialtone_path_copy_verified(-1) && errno == ECHILD);
    CHECK(dialtone_wait_for_path(-1) == -ECHILD && dialtone_wait_for_internet(-1) == -ECHILD);
    CHECK(!dialtone_path_monitor_create() && errno == ECHILD);
    CHECK(dialtone_path_monitor_start(parents_monitor) == -ECHILD && dialtone_path_monitor_get_fd(parents_monitor) == -ECHILD);
    CHECK(!dialtone_path_monitor_copy_path(parents_monitor) && errno == ECHILD);
    CHECK(dialtone_path_monitor_cancel(parents_monitor) == -ECHILD);
    CHECK(dialtone_path_monitor_verify_internet(parents_monitor) == -ECHILD);
    CHECK(dialtone_path_monitor_require_interface_type(parents_monitor, DIALTONE_INTERFACE_TYPE_WIFI) == -ECHILD);
    CHECK(dialtone_path_monitor_prohibit_interface_type(parents_monitor, DIALTONE_INTERFACE_TYPE_WIFI) == -ECHILD);
    CHECK(dialtone_path_monitor_set_update_handler(parents_monitor, NULL, NULL) == -ECHILD);
    CHECK(dialtone_path_monitor_set_cancel_handler(parents_monitor, NULL, NULL) == -ECHILD);
    CHECK(dialtone_set_endpoints(NULL, 0) == -ECHILD && dialtone_set_interface_cost("eth0", true, true) == -ECHILD);
    dialtone_path_monitor_release(parents_monitor);
    CHECK(dialtone_path_get_status(parents_path) != DIALTONE_PATH_STATUS_INVALID);
    dialtone_path_release(parents_path);
    return 0;
}

static void after_fork(void) {
    parents_monitor = dialtone_path_monitor_create();
    CHECK(dialtone_path_monitor_start(parents_monitor) == 0);
    wait_for(parents_monitor);
    parents_path = dialtone_path_monitor_copy_path(parents_monitor);
    for (int i = 0; i < 100; i++) check_child(use_parents_library);
    // The parent is not affected.
    dialtone_path_t *path = dialtone_path_copy_current();
    CHECK(dialtone_path_is_equal(path, parents_path));
    dialtone_path_release(path);
    dialtone_path_release(parents_path);
    dialtone_path_monitor_release(parents_monitor);
}

static int use_in_daemon(void) {
    misuse();
    cancel();
    return 0;
}

static void before_fork(void) {
    // Nothing was called before: everything works in the child, as in a daemon.
    check_child(use_in_daemon);
    misuse();
}

static void quiet(void) {
    // Linked, but not used: no thread, no descriptor.
    CHECK(entries("/proc/self/task") == 3 && entries("/proc/self/fd") == 3 + 3);
}

static void on_signal(int number) { (void)number; }

#define SIGNAL(number) (1ULL << ((number) - 1))
// libdispatch blocks SIGABRT, which abort() unblocks.
#define FAULTS (SIGNAL(SIGSEGV) | SIGNAL(SIGBUS) | SIGNAL(SIGFPE) | SIGNAL(SIGILL) | SIGNAL(SIGTRAP) | SIGNAL(SIGSYS))

static unsigned long long blocked_signals(const char *thread) {
    char name[300], line[200];
    snprintf(name, sizeof name, "/proc/self/task/%s/status", thread);
    FILE *status = fopen(name, "r");
    unsigned long long blocked = 0;
    while (status && fgets(line, sizeof line, status)) sscanf(line, "SigBlk: %llx", &blocked);
    if (status) fclose(status);
    return blocked;
}

static void on_abort(int number) {
    (void)number;
    _exit(7);
}

static void abort_in_handler(dialtone_path_t *path, void *context) {
    (void)path;
    (void)context;
    abort();
}

static int abort_on_thread_of_library(void) {
    signal(SIGABRT, on_abort);
    dialtone_path_monitor_t *monitor = dialtone_path_monitor_create();
    dialtone_path_monitor_set_update_handler(monitor, abort_in_handler, NULL);
    CHECK(dialtone_path_monitor_start(monitor) == 0);
    pause();
    return 0;
}

static void aborts(void) {
    pid_t child = fork();
    if (child == 0) _exit(abort_on_thread_of_library());
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

static bool is_pipe_blocked_when_cancelled;

static void note_mask(void *context) {
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    is_pipe_blocked_when_cancelled = sigismember(&mask, SIGPIPE);
    sem_post(context);
}

static void signals_of_cancel_handler(void) {
    // The thread that calls it is started by the caller's, because no other handler has run.
    sem_t ended;
    sem_init(&ended, 0, 0);
    dialtone_path_monitor_t *monitor = dialtone_path_monitor_create();
    dialtone_path_monitor_set_cancel_handler(monitor, note_mask, &ended);
    CHECK(dialtone_path_monitor_start(monitor) == 0 && dialtone_path_monitor_cancel(monitor) == 0);
    CHECK(sem_wait(&ended) == 0 && is_pipe_blocked_when_cancelled);
    dialtone_path_monitor_release(monitor);
}

static void signals(void) {
    aborts();
    signals_of_cancel_handler();
    // The library's threads block signals, so that the program's own thread receives them.
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGUSR1, &action, NULL);
    dialtone_path_monitor_t *monitor = dialtone_path_monitor_create();
    sem_init(&updated, 0, 0);
    updates_of_all = 9999;
    dialtone_path_monitor_set_update_handler(monitor, count_update, NULL);
    CHECK(dialtone_path_monitor_start(monitor) == 0 && sem_wait(&updated) == 0);
    DIR *tasks = opendir("/proc/self/task");
    int others = 0;
    for (struct dirent *task; (task = readdir(tasks));) {
        if (task->d_name[0] == '.' || atoi(task->d_name) == getpid()) continue;
        // A thread that is being created blocks every signal for a moment.
        unsigned long long blocked = ~0ULL;
        for (int attempt = 0; attempt < 10000 && blocked & FAULTS; attempt++) {
            if (attempt) usleep(1000);
            blocked = blocked_signals(task->d_name);
        }
        CHECK(blocked & SIGNAL(SIGUSR1) && blocked & SIGNAL(SIGCHLD));
        // A crash reporter also receives the faults of the library's threads, and those of the handlers that run on them.
        CHECK(!(blocked & FAULTS));
        others++;
    }
    closedir(tasks);
    CHECK(others > 0);
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    CHECK(!sigismember(&mask, SIGUSR1));
    dialtone_path_monitor_release(monitor);
}

static atomic_bool have_costs_ended;

static void *set_other_costs(void *unused) {
    char name[16];
    for (unsigned i = 0; !have_costs_ended; i++) {
        snprintf(name, sizeof name, "other%u", i % 15);
        CHECK(dialtone_set_interface_cost(name, i % 2, false) == 0);
    }
    return unused;
}

static void costs(void) {
    // No thread overwrites what another one sets at the same time.
    pthread_t other;
    CHECK(pthread_create(&other, NULL, set_other_costs, NULL) == 0);
    for (int round = 0; round < 1000; round++) {
        CHECK(dialtone_set_interface_cost("up0", false, round % 2) == 0);
        dialtone_path_t *path = dialtone_path_copy_current();
        CHECK(dialtone_path_is_constrained(path) == round % 2);
        dialtone_path_release(path);
    }
    have_costs_ended = true;
    CHECK(pthread_join(other, NULL) == 0);
}

static void keep_checking(void) {
    // Longer than the second after which libdispatch would look at the threads of its pool for the first time.
    for (time_t end = time(NULL) + 3; time(NULL) < end;) {
        dialtone_path_t *path = dialtone_path_copy_verified(-1);
        CHECK(path && dialtone_path_get_connectivity(path) != DIALTONE_CONNECTIVITY_ONLINE);
        dialtone_path_release(path);
    }
}

static void checks(bool without_descriptors) {
    const char *const endpoints[] = {"http://192.0.2.1/204"};
    CHECK(dialtone_set_endpoints(endpoints, 1) == 0);
    keep_checking();
    if (!without_descriptors) return;
    while (dup(STDIN_FILENO) >= 0) {}
    CHECK(errno == EMFILE);
    keep_checking();
}

static void copies(const char *first, const char *second) {
    void *libraries[2] = {dlopen(first, RTLD_NOW), dlopen(second, RTLD_NOW)};
    struct pollfd events[2];
    for (int i = 0; i < 2; i++) {
        CHECK(libraries[i]);
        // The cast that POSIX recommends for functions.
        void *(*create)(void), *(*copy)(void *);
        int (*descriptor)(void *), (*start)(void *);
        *(void **)&create = dlsym(libraries[i], "dialtone_path_monitor_create");
        *(void **)&descriptor = dlsym(libraries[i], "dialtone_path_monitor_get_fd");
        *(void **)&start = dlsym(libraries[i], "dialtone_path_monitor_start");
        *(void **)&copy = dlsym(libraries[i], "dialtone_path_monitor_copy_path");
        CHECK(create && descriptor && start && copy);
        void *monitor = create();
        events[i] = (struct pollfd){.fd = descriptor(monitor), .events = POLLIN};
        CHECK(start(monitor) == 0);
        CHECK(poll(&events[i], 1, 60000) == 1 && copy(monitor));
        // It stays loaded: its threads run.
        CHECK(dlclose(libraries[i]) == 0);
    }
    CHECK(libraries[0] != libraries[1]);
    usleep(100000);
}

int main(int count, char **arguments) {
    CHECK(count > 1);
    const char *name = arguments[1];
    if (!strcmp(name, "nulls")) nulls();
    else if (!strcmp(name, "misuse")) misuse();
    else if (!strcmp(name, "cancel")) cancel();
    else if (!strcmp(name, "many")) many();
    else if (!strcmp(name, "descriptors")) descriptors();
    else if (!strcmp(name, "after-fork")) after_fork();
    else if (!strcmp(name, "before-fork")) before_fork();
    else if (!strcmp(name, "quiet")) quiet();
    else if (!strcmp(name, "checks")) checks(false);
    else if (!strcmp(name, "checks-without-descriptors")) checks(true);
    else if (!strcmp(name, "signals")) signals();
    else if (!strcmp(name, "costs")) costs();
    else if (!strcmp(name, "copies") && count > 3) copies(arguments[2], arguments[3]);
    else return 2;
    puts("ok");
}
