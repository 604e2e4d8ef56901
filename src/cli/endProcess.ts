/** Ends this process as SIGTERM would: a command that listens for it stops in order; once, however often it is called. */
export function createEnd(code: number): () => void {
  let isEnding = false
  return () => {
    if (isEnding) return
    isEnding = true
    // Not process.kill: on Windows that ends the process at once.
    if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(code)
  }
}
