import { Worker } from 'node:worker_threads'
import { type Tasks, tasks } from './tasks.ts'

type Name = keyof Tasks
type Result<K extends Name> = ReturnType<Tasks[K]>

/** What a thread is asked, and what it answers. */
export interface Order {
  readonly id: number
  readonly name: Name
  readonly args: readonly unknown[]
}
export interface Delivery {
  readonly id: number
  readonly result: unknown
}

/** Threads that share the work. */
export interface Crew {
  do<K extends Name>(name: K, ...args: Parameters<Tasks[K]>): Promise<Result<K>>
  /** Ends the threads. */
  close(): Promise<void>
}

/** Does everything in this thread, one at a time. */
function createLoneCrew(): Crew {
  return {
    async do(name, ...args) {
      // Anyone who waits for the task before comes first.
      await new Promise(setImmediate)
      return (tasks[name] as (...given: typeof args) => Result<typeof name>)(...args)
    },
    close: async () => {},
  }
}

/** Starts this many threads; each takes the next task when it has done one. */
export function createCrew(threads: number): Crew {
  if (threads === 1) return createLoneCrew()
  const waiting: Order[] = []
  const answers = new Map<number, { resolve(result: unknown): void; reject(error: unknown): void }>()
  let count = 0

  function createThread(): { readonly worker: Worker; isIdle: boolean } {
    const worker = new Worker(new URL('./crewMember.js', import.meta.url))
    const thread = { worker, isIdle: true }
    worker.on('message', ({ id, result }: Delivery) => {
      thread.isIdle = true
      answers.get(id)!.resolve(result)
      answers.delete(id)
      distribute()
    })
    worker.on('error', (error) => {
      for (const { reject } of answers.values()) reject(error)
    })
    return thread
  }

  const all = Array.from({ length: threads }, createThread)

  function distribute(): void {
    for (const thread of all) {
      const order = thread.isIdle ? waiting.shift() : undefined
      if (!order) continue
      thread.isIdle = false
      thread.worker.postMessage(order)
    }
  }

  return {
    do: (name, ...args) =>
      new Promise((resolve, reject) => {
        const id = count++
        answers.set(id, { resolve: resolve as (result: unknown) => void, reject })
        waiting.push({ id, name, args })
        distribute()
      }),
    close: async () => void (await Promise.all(all.map(({ worker }) => worker.terminate()))),
  }
}
