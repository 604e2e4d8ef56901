import { readFileSync } from 'node:fs'

type Env = Record<string, string | undefined>

/** The process that is watched, as this one sees it. */
export interface ParentPort {
  /** The process id of the parent now. */
  parent(): number
  isAlive(pid: number): boolean
  /** The parent of a shell; undefined for other programs, and where the system does not say. */
  parentOfShell(pid: number): number | undefined
  /** Calls `look` again and again; must not keep the process alive. */
  every(milliseconds: number, look: () => void): () => void
}

/** Set by a program that starts Quoin and wants it to stop with it: the process id of that program. */
const variable = 'QUOIN_STOP_WITH_PID'

/** Milliseconds between two looks. */
const lookEvery = 1000

/**
 * Calls `stop` once when the parent process is gone, if a parent asked for that, or if the parent is npm: npm can be killed
 * without passing that on. A node under systemd, nohup or Docker is not watched.
 */
export function stopWithParent(env: Env, stop: () => void, port: ParentPort = processPort): void {
  const parent = parentOf(env, port)
  // For this process only: what it starts itself has another parent.
  delete env[variable]
  if (parent === undefined) return
  // Some shells stay between npm and what they run, and outlive npm.
  const npm = env.npm_lifecycle_event === undefined ? undefined : port.parentOfShell(parent)
  const end = port.every(lookEvery, look)
  look()
  function look(): void {
    if (port.parent() === parent && [parent, npm].every((pid) => pid === undefined || port.isAlive(pid))) return
    end()
    stop()
  }
}

function parentOf(env: Env, port: ParentPort): number | undefined {
  const given = Number(env[variable])
  if (given > 0) return given
  // npm names the command that it runs in a shell; one with an `&` may have been put in the background on purpose.
  const isNpmCommand = /^['"]?[^\s'"]*quoin['"]?(\s[^&|;]*)?$/.test(env.npm_lifecycle_script ?? '')
  return isNpmCommand && port.parent() > 1 ? port.parent() : undefined
}

const processPort: ParentPort = {
  parent: () => process.ppid,
  isAlive(pid) {
    try {
      process.kill(pid, 0)
      return true
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EPERM'
    }
  },
  parentOfShell(pid) {
    try {
      // The name is in parentheses; state and parent follow it.
      const [, name, parent] = /^\d+ \((.*)\) \w (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
      return /^(ba|da|a|z|k)?sh$/.test(name ?? '') && Number(parent) > 1 ? Number(parent) : undefined
    } catch {
      return undefined
    }
  },
  every(milliseconds, look) {
    const timer = setInterval(look, milliseconds).unref()
    return () => clearInterval(timer)
  },
}
