/** Runs an action that the first SIGINT or SIGTERM stops cleanly; a second one kills the process. */
export async function interruptible<T>(action: (stop: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const stop = () => controller.abort()
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    return await action(controller.signal)
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}
