import type { ReaderRequest, TimedReply } from './readers.ts'

/** A request with those who wait for its answer. */
export interface Job {
  readonly request: ReaderRequest
  /** When the request came, in milliseconds. */
  readonly came: number
  /** Milliseconds that it is expected to take. */
  readonly expected: number
  resolve(reply: TimedReply): void
  reject(error: Error): void
}

/** Requests that wait for a reader. */
export interface WaitingList {
  readonly length: number
  /** Returns false if too many wait already. */
  add(job: Job): boolean
  /** Puts a job back that has waited already. */
  putBack(job: Job): void
  /** Removes and returns the next job among those that `fits` accepts. */
  take(fits: (job: Job) => boolean, runningOf: (client: string) => number): Job | undefined
  /** Removes and returns all. */
  drain(): Job[]
}

/** How many requests may wait: of all clients, of one client, and characters of all. */
export const maxWaiting = { all: 1024, client: 512, characters: 64 << 20 }

/** Milliseconds that a request comes later for each running request of its client. */
const shareDelay = 1000

/**
 * Short requests go first, but each comes to its turn: a request that is expected to take a second goes behind the short ones
 * of the next second, not behind all. Clients that have fewer requests running go before those with more.
 */
export function createWaitingList(): WaitingList {
  let jobs: Job[] = []
  let characters = 0
  const perClient = new Map<string, number>()

  function count(job: Job, by: 1 | -1): void {
    const { client, text } = job.request
    characters += by * text.length
    const left = (perClient.get(client) ?? 0) + by
    if (left > 0) perClient.set(client, left)
    else perClient.delete(client)
  }

  function putBack(job: Job): void {
    jobs.push(job)
    count(job, 1)
  }

  return {
    get length() {
      return jobs.length
    },
    add(job) {
      const { client, text } = job.request
      const mine = perClient.get(client) ?? 0
      if (jobs.length >= maxWaiting.all || mine >= maxWaiting.client) return false
      if (jobs.length > 0 && characters + text.length > maxWaiting.characters) return false
      putBack(job)
      return true
    },
    putBack,
    take(fits, runningOf) {
      let best = -1
      let bestKey = Number.POSITIVE_INFINITY
      for (const [i, job] of jobs.entries()) {
        const key = job.came + job.expected + shareDelay * runningOf(job.request.client)
        if (key >= bestKey || !fits(job)) continue
        best = i
        bestKey = key
      }
      if (best < 0) return undefined
      const [job] = jobs.splice(best, 1)
      count(job!, -1)
      return job
    },
    drain() {
      const all = jobs
      jobs = []
      characters = 0
      perClient.clear()
      return all
    },
  }
}
