/*
 * Writes down what a program does to the files below a folder, in order: LD_PRELOAD of the power-failure suite.
 *
 *   POWER_FOLDER   the folder
 *   POWER_LOG      the file that gets the events; outside of the folder
 *
 * One call at a time, so that the order is exact. Syncs are written down and not made. Writes to standard output are
 * written down too: they are what the program acknowledges. An event is: type (1 byte), process (4), descriptor (4),
 * offset, size or flags (8), lengths of two byte strings (4 and 4), the strings; little-endian.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { OPEN = 1, WRITE, TRUNCATE, SYNC, RENAME, UNLINK, MKDIR, RMDIR, LINK, ACK, TRUNCATE_PATH };
#define DESCRIPTORS 65536

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned char tracked[DESCRIPTORS];
static const char *folder;
static int log_file = -1;

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("POWER_LOG");
  folder = getenv("POWER_FOLDER");
  if (path == NULL || folder == NULL) return;
  log_file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (log_file < 0) abort();
}

static int is_below(const char *path) {
  size_t length;
  if (log_file < 0 || path == NULL) return 0;
  length = strlen(folder);
  return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int is_tracked(int fd) { return fd >= 0 && fd < DESCRIPTORS && tracked[fd]; }

static void event(uint8_t type, int fd, uint64_t number, const void *a, uint32_t a_size, const void *b, uint32_t b_size) {
  unsigned char head[25];
  uint32_t pid = getpid(), descriptor = fd;
  struct iovec parts[3] = {{head, sizeof head}, {(void *)a, a_size}, {(void *)b, b_size}};
  head[0] = type;
  memcpy(head + 1, &pid, 4);
  memcpy(head + 5, &descriptor, 4);
  memcpy(head + 9, &number, 8);
  memcpy(head + 17, &a_size, 4);
  memcpy(head + 21, &b_size, 4);
  if (syscall(SYS_writev, log_file, parts, 3) != (ssize_t)(sizeof head + a_size + b_size)) abort();
}

static void path_event(uint8_t type, const char *a, const char *b) {
  event(type, 0, 0, a, strlen(a), b, b == NULL ? 0 : strlen(b));
}

#define LOCKED(call)              \
  do {                            \
    int kept;                     \
    pthread_mutex_lock(&mutex);   \
    call;                         \
    kept = errno;                 \
    pthread_mutex_unlock(&mutex); \
    errno = kept;                 \
  } while (0)

static int opened(const char *path, int flags, mode_t mode) {
  int fd, kept;
  if (!is_below(path)) {
    fd = syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    if (fd >= 0 && fd < DESCRIPTORS) tracked[fd] = 0;
    return fd;
  }
  pthread_mutex_lock(&mutex);
  fd = syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  kept = errno;
  if (fd >= DESCRIPTORS) abort();
  if (fd >= 0) {
    tracked[fd] = 1;
    event(OPEN, fd, (flags & O_TRUNC) != 0, path, strlen(path), NULL, 0);
  }
  pthread_mutex_unlock(&mutex);
  errno = kept;
  return fd;
}

static mode_t mode_of(int flags, va_list list) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(list, mode_t) : 0;
}

#define OPENING(name)                          \
  int name(const char *path, int flags, ...) { \
    va_list list;                              \
    mode_t mode;                               \
    va_start(list, flags);                     \
    mode = mode_of(flags, list);               \
    va_end(list);                              \
    return opened(path, flags, mode);          \
  }
OPENING(open)
OPENING(open64)
int __open_2(const char *path, int flags) { return opened(path, flags, 0); }
int __open64_2(const char *path, int flags) { return opened(path, flags, 0); }
int creat(const char *path, mode_t mode) { return opened(path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) { return opened(path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

int close(int fd) {
  if (is_tracked(fd)) LOCKED(tracked[fd] = 0);
  return syscall(SYS_close, fd);
}

/* Where a write without an offset goes. */
static off_t place(int fd) {
  struct stat found;
  if ((fcntl(fd, F_GETFL) & O_APPEND) == 0) return lseek(fd, 0, SEEK_CUR);
  return fstat(fd, &found) == 0 ? found.st_size : 0;
}

static void pieces(int fd, off_t offset, const struct iovec *parts, int count, ssize_t done) {
  for (int at = 0; at < count && done > 0; at++) {
    ssize_t size = done < (ssize_t)parts[at].iov_len ? done : (ssize_t)parts[at].iov_len;
    if (size == 0) continue;
    event(fd == 1 ? ACK : WRITE, fd, offset, parts[at].iov_base, size, NULL, 0);
    offset += size;
    done -= size;
  }
}

static int is_written_down(int fd) { return log_file >= 0 && (fd == 1 || is_tracked(fd)); }

static ssize_t written(int fd, const struct iovec *parts, int count, off_t offset) {
  ssize_t done;
  int kept, positioned = offset >= 0;
  pthread_mutex_lock(&mutex);
  if (!positioned) offset = fd == 1 ? 0 : place(fd);
  done = positioned ? syscall(SYS_pwritev, fd, parts, count, offset, 0) : syscall(SYS_writev, fd, parts, count);
  kept = errno;
  pieces(fd, offset, parts, count, done);
  pthread_mutex_unlock(&mutex);
  errno = kept;
  return done;
}

ssize_t write(int fd, const void *data, size_t size) {
  struct iovec part = {(void *)data, size};
  return is_written_down(fd) ? written(fd, &part, 1, -1) : syscall(SYS_write, fd, data, size);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  return is_written_down(fd) ? written(fd, parts, count, -1) : syscall(SYS_writev, fd, parts, count);
}

static ssize_t positioned(int fd, const void *data, size_t size, off_t offset) {
  struct iovec part = {(void *)data, size};
  return is_tracked(fd) ? written(fd, &part, 1, offset) : syscall(SYS_pwrite64, fd, data, size, offset);
}
ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) { return positioned(fd, data, size, offset); }
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset) { return positioned(fd, data, size, offset); }

static ssize_t positioned_parts(int fd, const struct iovec *parts, int count, off_t offset) {
  return is_tracked(fd) ? written(fd, parts, count, offset) : syscall(SYS_pwritev, fd, parts, count, offset, 0);
}
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) { return positioned_parts(fd, parts, count, offset); }
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t offset) { return positioned_parts(fd, parts, count, offset); }

static int truncated(int fd, off_t size) {
  int result;
  LOCKED({
    result = syscall(SYS_ftruncate, fd, size);
    if (result == 0 && is_tracked(fd)) event(TRUNCATE, fd, size, NULL, 0, NULL, 0);
  });
  return result;
}
int ftruncate(int fd, off_t size) { return truncated(fd, size); }
int ftruncate64(int fd, off64_t size) { return truncated(fd, size); }

static int truncated_path(const char *path, off_t size) {
  int result;
  LOCKED({
    result = syscall(SYS_truncate, path, size);
    if (result == 0 && is_below(path)) event(TRUNCATE_PATH, 0, size, path, strlen(path), NULL, 0);
  });
  return result;
}
int truncate(const char *path, off_t size) { return truncated_path(path, size); }
int truncate64(const char *path, off64_t size) { return truncated_path(path, size); }

static int synced(int fd) {
  LOCKED(event(SYNC, fd, 0, NULL, 0, NULL, 0));
  return 0;
}
int fsync(int fd) { return is_tracked(fd) ? synced(fd) : syscall(SYS_fsync, fd); }
int fdatasync(int fd) { return is_tracked(fd) ? synced(fd) : syscall(SYS_fdatasync, fd); }
/* Starts writing and promises nothing. */
int sync_file_range(int fd, off64_t offset, off64_t count, unsigned int flags) {
  (void)fd, (void)offset, (void)count, (void)flags;
  return 0;
}

#define NAMING(call, type, a, b)                                                        \
  int result;                                                                           \
  LOCKED({                                                                              \
    result = call;                                                                      \
    if (result == 0 && (is_below(a) || is_below(b))) path_event(type, a, b);            \
  });                                                                                   \
  return result

int rename(const char *from, const char *to) { NAMING(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0), RENAME, from, to); }
int unlink(const char *path) { NAMING(syscall(SYS_unlinkat, AT_FDCWD, path, 0), UNLINK, path, NULL); }
int rmdir(const char *path) { NAMING(syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR), RMDIR, path, NULL); }
int mkdir(const char *path, mode_t mode) { NAMING(syscall(SYS_mkdirat, AT_FDCWD, path, mode), MKDIR, path, NULL); }
int link(const char *from, const char *to) { NAMING(syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0), LINK, from, to); }

/* LevelDB writes through streams, whose calls do not come by here: a stream of its own for each tracked file. */
#define STREAMS 4096
static struct {
  FILE *stream;
  int fd;
} streams[STREAMS];

static ssize_t stream_write(void *cookie, const char *data, size_t size) {
  ssize_t done = write((int)(intptr_t)cookie, data, size);
  return done < 0 ? 0 : done;
}

static int stream_close(void *cookie) {
  int fd = (int)(intptr_t)cookie;
  LOCKED(for (int at = 0; at < STREAMS; at++) if (streams[at].fd == fd) streams[at].stream = NULL);
  return close(fd);
}

static FILE *stream_of(const char *path, const char *mode, const char *name) {
  cookie_io_functions_t calls = {NULL, stream_write, NULL, stream_close};
  FILE *(*open_real)(const char *, const char *);
  FILE *stream;
  int fd, at;
  if (!is_below(path) || (mode[0] != 'w' && mode[0] != 'a')) {
    *(void **)&open_real = dlsym(RTLD_NEXT, name);
    return open_real(path, mode);
  }
  fd = opened(path, O_WRONLY | O_CREAT | O_CLOEXEC | (mode[0] == 'w' ? O_TRUNC : O_APPEND), 0666);
  if (fd < 0) return NULL;
  stream = fopencookie((void *)(intptr_t)fd, mode, calls);
  if (stream == NULL) abort();
  LOCKED({
    for (at = 0; at < STREAMS && streams[at].stream != NULL; at++) continue;
    if (at == STREAMS) abort();
    streams[at].stream = stream;
    streams[at].fd = fd;
  });
  return stream;
}
FILE *fopen(const char *path, const char *mode) { return stream_of(path, mode, "fopen"); }
FILE *fopen64(const char *path, const char *mode) { return stream_of(path, mode, "fopen64"); }

int fileno(FILE *stream) {
  int (*real)(FILE *);
  int fd = -1;
  LOCKED(for (int at = 0; at < STREAMS; at++) if (streams[at].stream == stream) fd = streams[at].fd);
  if (fd >= 0) return fd;
  *(void **)&real = dlsym(RTLD_NEXT, "fileno");
  return real(stream);
}
