import type { Logger } from '../../system/logger.ts'
import { TlsError } from './fault.ts'
import { fileVersion } from './fileVersion.ts'

/**
 * Reads files, and returns a function that returns what was read, after reading again if one of them has changed. What cannot be
 * read or used then, such as a file that is being written, is reported once, and what was read before stays.
 */
export function reloaded<T>(
  paths: readonly string[],
  read: () => T,
  onReload: (files: readonly string[], problem?: TlsError) => void,
): () => T {
  let version = fileVersion(paths)
  let value = read()
  return () => {
    const current = fileVersion(paths)
    if (current === version) return value
    // The version is older than what is read: a change in between is noticed the next time.
    version = current
    try {
      value = read()
      onReload(paths)
    } catch (error) {
      if (!(error instanceof TlsError)) throw error
      onReload(paths, error)
    }
    return value
  }
}

/** Logs that files were read again, or why what was read before stays. */
export function reportReload(log: Logger): (files: readonly string[], problem?: Error) => void {
  return (files, problem) => {
    if (problem) log.warn({ problem: problem.message }, 'TLS files have changed but cannot be used: {problem}')
    else log.info({ files: files.join() }, 'TLS files have changed and were read again: {files}')
  }
}
