import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { type FromPlugin, type HookName, hookNames, type ToPlugin, type Verdict } from './messages.ts'

// The thread in which a plugin runs: whatever it does there, the node does not wait for it.

type Hook = (value: object) => unknown

const maxReason = 300
const port = parentPort!
const { file } = workerData as { readonly file: string }
const send = (message: FromPlugin) => port.postMessage(message)

function textOf(error: unknown): string {
  try {
    return (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, maxReason)
  } catch {
    return 'an error without a text'
  }
}

function verdictOf(answer: unknown): Verdict {
  if (answer === true) return { kind: 'allowed' }
  if (answer === false) return { kind: 'refused', reason: 'no reason is given' }
  if (typeof answer === 'string') return { kind: 'refused', reason: answer.slice(0, maxReason) }
  const what = answer === undefined ? 'nothing' : `a value of type ${answer === null ? 'null' : typeof answer}`
  return { kind: 'failed', reason: `returned ${what}; the answer is true, false or a text that says why not` }
}

async function judge(hook: Hook, name: HookName, value: object): Promise<Verdict> {
  try {
    const answer = await hook(value)
    return name === 'onBlock' ? { kind: 'allowed' } : verdictOf(answer)
  } catch (error) {
    return { kind: 'failed', reason: textOf(error) }
  }
}

async function loadHooks(): Promise<ReadonlyMap<HookName, Hook> | undefined> {
  let exported: Record<string, unknown>
  try {
    exported = (await import(pathToFileURL(file).href)) as Record<string, unknown>
  } catch (error) {
    send({ kind: 'unusable', reason: textOf(error) })
    return undefined
  }
  const found = hookNames.filter((name) => typeof exported[name] === 'function')
  const unknown = Object.keys(exported).filter((name) => !(hookNames as readonly string[]).includes(name))
  if (unknown.length > 0 || found.length === 0) {
    const reason = unknown.length > 0 ? `exports ${unknown.join(', ')}` : 'exports none of its functions'
    send({ kind: 'unusable', reason: `${reason}; a plugin exports some of ${hookNames.join(', ')}` })
    return undefined
  }
  return new Map(found.map((name) => [name, exported[name] as Hook]))
}

// A promise that nobody waits for is no reason to start again.
process.on('unhandledRejection', (error) => console.error(`unhandled rejection: ${textOf(error)}`))

const hooks = await loadHooks()
if (hooks) {
  port.on('message', ({ id, hook, values }: ToPlugin) => {
    const run = hooks.get(hook)
    if (!run) return
    void Promise.all(values.map((value) => judge(run, hook, value))).then((verdicts) =>
      send({ kind: 'verdicts', id, verdicts }),
    )
  })
  send({ kind: 'ready', hooks: [...hooks.keys()] })
}
