import { afterEach } from 'vitest'

/** An opener like the one given; what it opened is closed when the test is over. */
export function closedAfterEach<A extends readonly unknown[], T extends { close(): unknown }>(
  open: (...args: A) => T,
): (...args: A) => T {
  const opened: T[] = []
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close()
  })
  return (...args) => {
    const one = open(...args)
    opened.push(one)
    return one
  }
}
