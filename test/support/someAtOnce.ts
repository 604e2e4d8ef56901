/** Requests under way: less than the connections that a node takes. */
const maxAtOnce = 20

/** Does something so many times, some of it at once; what fails is done once more, since a connection that was idle may have been closed. */
export async function someAtOnce(count: number, action: () => Promise<void>): Promise<void> {
  let left = count
  async function work(): Promise<void> {
    while (left-- > 0) await action().catch(action)
  }
  await Promise.all(Array.from({ length: maxAtOnce }, work))
}
