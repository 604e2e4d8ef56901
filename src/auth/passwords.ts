import { Worker } from 'node:worker_threads'
import { genSalt, hash as hashWithSalt } from 'bcryptjs'
import { workerUrl } from '../primitives/packageRoot.ts'

/** Besu's cost: 2^10 rounds. */
const cost = 10

/** Returns the BCrypt hash of a password, with a fresh salt. */
export async function hashPassword(password: string): Promise<string> {
  const salt = await genSalt(cost)
  // `2a` and `2b` are computed alike; Besu writes `2a`.
  return hashWithSalt(password, salt.replace('$2b$', '$2a$'))
}

const hashForm = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/

/** Whether a text is a BCrypt hash. */
export function isPasswordHash(text: string): boolean {
  return hashForm.test(text)
}

/** The hash of a password that nobody knows, to compare with where there is none. */
export const nobodysHash = '$2a$10$ljwo69FKJOoPBLPd3.CL5.lh29QLJqCJAWlRjDTIsDTZIwumnSsBu'

/** Compares passwords with hashes in another thread: one comparison takes as long as thousands of calls. */
export interface PasswordChecker {
  /** Whether the password has this hash; undefined if too many comparisons wait. */
  check(password: string, hash: string): Promise<boolean | undefined>
  /** Ends the thread. */
  close(): Promise<void>
}

/** Maximum number of comparisons that wait: a flood of logins must not fill the memory, and the last one should not wait long. */
const maxWaiting = 32

/** Creates a checker; its thread starts with the first comparison. */
export function createPasswordChecker(): PasswordChecker {
  let worker: Worker | undefined
  const waiting: ((fits: boolean) => void)[] = []

  function start(): Worker {
    const started = new Worker(workerUrl('auth/passwordWorker.ts'))
    started.on('message', (fits: boolean) => {
      waiting.shift()?.(fits)
      // An idle thread must not keep the process alive.
      if (waiting.length === 0) started.unref()
    })
    // A comparison that has no outcome fails; the next one starts a new thread, maybe between the error and the exit of this one.
    const abandon = () => {
      if (worker !== started) return
      worker = undefined
      for (const done of waiting.splice(0)) done(false)
    }
    started.on('error', abandon)
    started.on('exit', abandon)
    return started
  }

  return {
    async check(password, hash) {
      if (waiting.length >= maxWaiting) return undefined
      worker ??= start()
      worker.ref()
      worker.postMessage([password, hash])
      return new Promise<boolean>((done) => waiting.push(done))
    },
    async close() {
      await worker?.terminate()
    },
  }
}
