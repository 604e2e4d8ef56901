/** Ends this process as SIGTERM would: a command that listens for it stops in order, with this code; once, however often it is called. */
export function createEnd(code: number): () => void {
  let isEnding = false
  return () => {
    if (isEnding) return
    isEnding = true
    process.exitCode = code
    // Not process.kill: on Windows that ends the process at once.
    if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(code)
  }
}
