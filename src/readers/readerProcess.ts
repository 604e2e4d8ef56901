import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import type { Socket } from 'node:net'
import { constants, getPriority, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { createFrameReader, decodeFromReader, encodeToReader, type FromReader, type ToReader } from './frames.ts'

/** A reader's process, as the node sees it. */
export interface ReaderProcess {
  readonly pid: number
  send(message: ToReader): void
  /** Blocks go before questions where there are not enough cores for both. */
  lowerPriority(): void
  /** Ends it at once, whatever it does. */
  kill(): void
}

export interface ReaderListener {
  onMessage(message: FromReader): void
  /** Called once; `how` is its exit code or signal. */
  onExit(how: string): void
}

/**
 * Megabytes of JavaScript's heap: a reader that needs more ends, and its caller gets an error. Its young generation is small:
 * readers share a machine with a node.
 */
const heap = { old: 512, semiSpace: 4 }

/** Niceness of a reader relative to the node, once it has started: on a busy machine its start must come to an end, too. */
const niceness = 10

/** Starts the program of a reader; it gets a pipe to the node as file descriptor 3. */
export function startReaderProcess(program: URL, settings: unknown, listener: ReaderListener): ReaderProcess {
  const child = spawn(
    process.execPath,
    [
      `--max-old-space-size=${heap.old}`,
      `--max-semi-space-size=${heap.semiSpace}`,
      // One thread to collect garbage and compile: more of them would take turns from the node.
      '--v8-pool-size=1',
      fileURLToPath(program),
    ],
    { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] },
  )
  const pipe = child.stdio[3] as Socket
  let isCorked = false
  let hasExited = false

  function exit(how: string): void {
    if (hasExited) return
    hasExited = true
    pipe.destroy()
    listener.onExit(how)
  }

  function send(message: ToReader): void {
    if (hasExited) return
    // What is sent in one turn of the event loop goes in one system call.
    if (!isCorked) {
      isCorked = true
      pipe.cork()
      process.nextTick(() => {
        isCorked = false
        pipe.uncork()
      })
    }
    pipe.write(encodeToReader(message))
  }

  pipe.on(
    'data',
    createFrameReader((frame) => listener.onMessage(decodeFromReader(frame))),
  )
  // The process has ended, or is about to; `exit` says how.
  pipe.on('error', () => child.kill('SIGKILL'))
  child.on('error', (error) => exit(error.message))
  child.on('exit', (code, signal) => {
    // What it has sent before is still in the pipe.
    const how = signal ?? `code ${code}`
    if (pipe.destroyed || pipe.readableEnded) exit(how)
    else pipe.on('close', () => exit(how)).on('end', () => exit(how))
  })
  send({ kind: 'settings', settings })
  return {
    pid: child.pid ?? 0,
    send,
    lowerPriority() {
      if (child.pid !== undefined) lowerPriority(child.pid)
    },
    kill: () => child.kill('SIGKILL'),
  }
}

function lowerPriority(pid: number): void {
  const nice = Math.min(getPriority() + niceness, constants.priority.PRIORITY_LOW)
  for (const thread of threadsOf(pid))
    try {
      setPriority(thread, nice)
    } catch {
      // It has ended already, or the system does not allow it.
    }
}

/** The threads of a process: Linux has a priority for each. Elsewhere the process itself. */
function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    return [pid]
  }
}
