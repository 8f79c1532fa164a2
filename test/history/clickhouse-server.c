/*
 * Runs the engine of the embedded library as a ClickHouse server: `clickhouse local` can be told to listen. It lives
 * as long as its standard input, which the last statement reads: that has to be a pipe, and may be a socket here.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct result {
  char *buffer;
  size_t length;
  void *owner;
  double elapsed;
  unsigned long rows_read, bytes_read;
  char *error;
};

static int follow_input(void) {
  int ends[2];
  char byte;
  if (pipe(ends)) return -1;
  if (fork() == 0) {
    close(ends[0]);
    while (read(0, &byte, 1) > 0) {
    }
    _exit(0);
  }
  close(ends[1]);
  return dup2(ends[0], 0);
}

int main(int argc, char **argv) {
  if (follow_input() < 0) return 2;
  void *library = dlopen(getenv("LIBCHDB"), RTLD_NOW | RTLD_GLOBAL);
  struct result *(*query)(int, char **) = NULL;
  if (library) *(void **)&query = dlsym(library, "query_stable_v2");
  if (!query) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  argv[0] = "clickhouse";
  struct result *result = query(argc, argv);
  if (result && result->error) {
    fprintf(stderr, "%s\n", result->error);
    return 3;
  }
  return 0;
}
