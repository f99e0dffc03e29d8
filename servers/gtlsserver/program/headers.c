/*
 * A library for LD_PRELOAD that adds headers to each response of ngtcp2's gtlsserver, which has no option for this. It wraps the function
 * with which a server passes a response to libnghttp3 (nghttp3_conn_submit_response(3)), and calls the original with more headers.
 * The environment variable ADDED_HEADERS has lines like "alt-svc: h3=...", with names in lower case. Without this variable, the program
 * prints the versions of its libraries and ends, because it has no option for that either.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <nghttp3/nghttp3.h>
#include <ngtcp2/ngtcp2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_added = 8, most_headers = 64 };

typedef int submit(nghttp3_conn *, int64_t, const nghttp3_nv *, size_t, const nghttp3_data_reader *);

static submit *original;
static nghttp3_nv added[most_added];
static size_t added_count;

static void fail(const char *why) {
  fprintf(stderr, "headers: %s\n", why);
  exit(1);
}

/* Runs when the program starts, before its main function. */
__attribute__((constructor)) static void prepare(void) {
  const char *given = getenv("ADDED_HEADERS");
  if (given == NULL) {
    printf("ngtcp2 %s, nghttp3 %s\n", ngtcp2_version(0)->version_str, nghttp3_version(0)->version_str);
    exit(0);
  }
  original = (submit *)dlsym(RTLD_NEXT, "nghttp3_conn_submit_response");
  if (original == NULL)
    fail("the program does not use libnghttp3");
  for (char *line = strtok(strdup(given), "\n"); line != NULL; line = strtok(NULL, "\n")) {
    char *value = strstr(line, ": ");
    if (value == NULL)
      fail("a line of ADDED_HEADERS is not \"name: value\"");
    if (added_count == most_added)
      fail("ADDED_HEADERS has more than 8 lines");
    *value = '\0';
    value += 2;
    added[added_count++] = (nghttp3_nv){(uint8_t *)line, (uint8_t *)value, strlen(line), strlen(value), NGHTTP3_NV_FLAG_NONE};
  }
}

int nghttp3_conn_submit_response(nghttp3_conn *conn, int64_t stream, const nghttp3_nv *headers, size_t count,
                                 const nghttp3_data_reader *body) {
  nghttp3_nv all[most_headers];
  if (count + added_count > most_headers)
    fail("a response has too many headers");
  memcpy(all, headers, count * sizeof *all);
  memcpy(all + count, added, added_count * sizeof *all);
  return original(conn, stream, all, count + added_count, body);
}
