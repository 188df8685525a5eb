// Runs a program to its end, a number of times, and says what it costs from start to end.
//
//     launch N PROGRAM WORD…
//
// Prints the wall-clock nanoseconds of each. What the program says goes nowhere; when it fails, this does.
#include "common.h"
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

int main(int count, char **words) {
  if (count < 3) return fprintf(stderr, "launch N PROGRAM WORD…\n"), 2;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  for (int round = atoi(words[1]); round > 0; round--) {
    pid_t process;
    int status;
    uint64_t start = now();
    errno = posix_spawnp(&process, words[2], &actions, NULL, words + 2, environ);
    if (errno) fail(words[2]);
    check(waitpid(process, &status, 0), "waitpid");
    if (status) return fprintf(stderr, "%s failed: %d\n", words[2], status), 1;
    printf("%llu\n", (unsigned long long)(now() - start));
  }
  return 0;
}
