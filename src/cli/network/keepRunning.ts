import type { NodeState } from '../../rpc/server/networkState.ts'
import type { NodeProcess } from './nodeProcess.ts'
import { askNode, type NodeReport } from './nodeReport.ts'

/** A validator that is started again when it exits. */
export interface KeptNode {
  /** Starts the node again if its time has come, and returns its status. */
  look(): Promise<NodeReport>
  /** Whether it has exited often, and has never answered. */
  isHopeless(): boolean
  stop(): Promise<void>
}

/** Milliseconds until the first restart; the time doubles with each exit, up to the maximum. */
const firstDelay = 1000
const maxDelay = 60_000
/** A node that ran for so many milliseconds has recovered: its next exit counts as the first. */
const recovered = 60_000
/** Milliseconds without an answer after which a node is said to be silent: a busy machine takes its time. */
const patience = 3000
/** Exits after which a node that has never answered is given up. */
const maxFailures = 3

export interface KeepOptions {
  start(): NodeProcess
  /** The address that the node has to report as its own. */
  readonly address: string
  /** Milliseconds since an arbitrary moment. */
  now(): number
  readonly ask?: typeof askNode
}

/** Starts a node, and again with growing delays whenever it exits by itself. */
export function keepRunning({ start, address, now, ask = askNode }: KeepOptions): KeptNode {
  let node = start()
  let startedAt = now()
  let failures = 0
  let hasAnswered = false
  let restartAt: number | undefined
  /** The last answer of this process, and when it came. */
  let last: { readonly network: NodeState; readonly at: number } | undefined

  function noteExit(): void {
    if (now() - startedAt >= recovered) failures = 0
    restartAt = now() + Math.min(firstDelay * 2 ** failures, maxDelay)
    failures++
  }

  function restart(): void {
    node = start()
    startedAt = now()
    restartAt = undefined
    last = undefined
  }

  function withoutAnswer(): NodeReport {
    if (!last) return { state: 'starting' }
    const silence = now() - last.at
    return silence < patience ? { state: 'up', network: last.network } : { state: 'silent', seconds: silence / 1000 }
  }

  return {
    async look() {
      if (restartAt !== undefined && now() >= restartAt) restart()
      const answer = node.isRunning() ? await ask(node.url, address) : undefined
      if (!node.isRunning()) {
        if (restartAt === undefined) noteExit()
        return { state: 'down', reason: node.exitReason(), restartsIn: restartAt! - now() }
      }
      if (answer === undefined) return withoutAnswer()
      hasAnswered = true
      last = { network: answer, at: now() }
      return { state: 'up', network: answer }
    },
    isHopeless: () => !hasAnswered && failures >= maxFailures && !node.isRunning(),
    stop: () => node.stop(),
  }
}
