/** Calls `use` with something that is open, and closes it afterwards, whatever happens. */
export function useAndClose<R extends { close(): void }, T>(resource: R, use: (resource: R) => T): T {
  try {
    return use(resource)
  } finally {
    resource.close()
  }
}
