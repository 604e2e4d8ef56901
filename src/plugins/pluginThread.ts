import { resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { workerUrl } from '../primitives/packageRoot.ts'
import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'
import { PluginError } from './fault.ts'
import { forwardLines } from './forwardLines.ts'
import type { FromPlugin, HookName, ToPlugin, Verdict } from './messages.ts'

export interface PluginParts {
  readonly clock: Clock
  readonly log: Logger
}

/** A plugin that runs; it is started again when it fails. */
export interface PluginThread {
  has(hook: HookName): boolean
  /** One verdict for each value, in time; never rejects. */
  ask(hook: HookName, values: readonly object[]): Promise<readonly Verdict[]>
  /** Calls the listener when the plugin has been started again. */
  onRestart(listener: () => void): void
  stop(): Promise<void>
}

/** Milliseconds for one message of each kind: then the plugin counts as hung. */
const limits: Readonly<Record<HookName, number>> = { mayEnter: 1000, mayConnect: 1000, onBlock: 5000 }
const startTime = 10_000
/** Milliseconds before a plugin that has failed is started again; they double up to the last. */
const pause = { first: 1000, last: 60_000 }
/** Messages that may wait for an answer. */
const maxAsked = 256
/** Megabytes of its heap. */
const heap = 256

interface Asked {
  readonly count: number
  readonly answer: (verdicts: readonly Verdict[]) => void
  readonly cancel: () => void
}

class RestartedPlugin implements PluginThread {
  private readonly file: string
  private readonly parts: PluginParts
  private readonly asked = new Map<number, Asked>()
  private readonly listeners: (() => void)[] = []
  private worker: Worker | undefined
  private hooks: ReadonlySet<HookName> = new Set()
  private isReady = false
  private isStopped = false
  private lastId = 0
  private nextPause = pause.first
  private cancelRestart = () => {}

  constructor(file: string, parts: PluginParts) {
    this.file = resolve(file)
    this.parts = parts
  }

  /** Starts the thread; rejects where the plugin cannot be used. */
  async start(): Promise<void> {
    const worker = new Worker(workerUrl('plugins/pluginWorker.ts'), {
      workerData: { file: this.file },
      resourceLimits: { maxOldGenerationSizeMb: heap },
      stdout: true,
      stderr: true,
    })
    this.worker = worker
    forwardLines(worker.stdout, (line) => this.parts.log.info({}, line))
    forwardLines(worker.stderr, (line) => this.parts.log.warn({}, line))
    await new Promise<void>((done, fail) => {
      const refuse = (reason: string) => {
        fail(new PluginError({ code: 'PLUGIN_UNUSABLE', file: this.file, reason }))
        void worker.terminate()
      }
      const cancel = this.parts.clock.after(startTime, () => refuse(`is not ready after ${startTime / 1000} s`))
      worker.on('message', (message: FromPlugin) => {
        if (message.kind === 'ready') {
          cancel()
          this.hooks = new Set(message.hooks)
          this.isReady = true
          done()
        } else if (message.kind === 'unusable') refuse(message.reason)
        else if (worker === this.worker) this.settle(message.id, message.verdicts)
      })
      worker.on('error', (error) => {
        if (worker === this.worker && this.isReady) this.fail(`ended with ${error.message}`)
        else refuse(error.message)
      })
      worker.on('exit', (code) => {
        cancel()
        if (worker === this.worker && this.isReady) this.fail(`ended with exit code ${code}`)
        else refuse(`ended with exit code ${code} while it started`)
      })
    })
  }

  private settle(id: number, verdicts: readonly Verdict[]): void {
    const one = this.asked.get(id)
    if (!one) return
    this.asked.delete(id)
    one.cancel()
    this.nextPause = pause.first
    one.answer(verdicts)
  }

  /** Gives up the thread and all that it was asked, and starts another one after a while. */
  private fail(reason: string): void {
    if (this.isStopped || !this.isReady) return
    this.isReady = false
    void this.worker?.terminate()
    this.worker = undefined
    this.drain(reason)
    const seconds = this.nextPause / 1000
    this.parts.log.error({ reason, seconds }, 'plugin {reason}; it is started again in {seconds} s')
    this.restartLater()
  }

  private restartLater(): void {
    this.cancelRestart = this.parts.clock.after(this.nextPause, () => {
      this.start().then(
        () => {
          this.parts.log.info({}, 'plugin started again')
          for (const listener of this.listeners) listener()
        },
        (error: Error) => {
          if (this.isStopped) return
          this.parts.log.error({ reason: error.message }, 'plugin cannot be started: {reason}')
          this.restartLater()
        },
      )
    })
    this.nextPause = Math.min(2 * this.nextPause, pause.last)
  }

  private drain(reason: string): void {
    const all = [...this.asked.values()]
    this.asked.clear()
    for (const one of all) {
      one.cancel()
      one.answer(failed(one.count, reason))
    }
  }

  readonly has: PluginThread['has'] = (hook) => this.hooks.has(hook)

  readonly ask: PluginThread['ask'] = (hook, values) => {
    const { worker } = this
    if (!this.isReady || !worker) return Promise.resolve(failed(values.length, 'does not run just now'))
    if (this.asked.size >= maxAsked) return Promise.resolve(failed(values.length, 'has too much to do'))
    const id = ++this.lastId
    return new Promise((answer) => {
      const seconds = limits[hook] / 1000
      // The answer may have come while this thread was busy: it is read before the next turn.
      const cancel = this.parts.clock.after(limits[hook], () =>
        setImmediate(() => {
          if (this.asked.has(id)) this.fail(`has not answered ${hook} in ${seconds} s`)
        }),
      )
      this.asked.set(id, { count: values.length, answer, cancel })
      worker.postMessage({ id, hook, values } satisfies ToPlugin)
    })
  }

  readonly onRestart: PluginThread['onRestart'] = (listener) => {
    this.listeners.push(listener)
  }

  readonly stop: PluginThread['stop'] = async () => {
    this.isStopped = true
    this.cancelRestart()
    this.drain('stops')
    await this.worker?.terminate()
  }
}

const failed = (count: number, reason: string): readonly Verdict[] =>
  Array.from({ length: count }, () => ({ kind: 'failed', reason }))

/** Loads a plugin in a thread of its own: one that throws, hangs or ends delays nobody. Rejects where it cannot be used at all. */
export async function startPlugin(file: string, parts: PluginParts): Promise<PluginThread> {
  const plugin = new RestartedPlugin(file, parts)
  await plugin.start()
  return plugin
}
