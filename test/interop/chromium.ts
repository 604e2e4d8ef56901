import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The browser's program, undefined when there is none; `CHROMIUM` names another one. */
export function findChromium(): string | undefined {
  const candidates = process.env['CHROMIUM'] ? [process.env['CHROMIUM']] : names
  return candidates.find((name) => spawnSync(name, ['--version']).status === 0)
}

/** A browser without a window. */
export interface Chromium {
  /** Opens a page and runs an expression in it; a promise is waited for. */
  evaluate<T>(url: string, expression: string): Promise<T>
  stop(): Promise<void>
}

/** Seconds that the browser may take to start, and a page to answer. */
const patience = 120

interface Reply {
  readonly id?: number
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

interface Evaluated {
  readonly result: { readonly value?: unknown }
  readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } }
}

/** A connection for the browser's debugging protocol. */
async function connect(url: string) {
  const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 1 << 28 })
  await once(socket, 'open')
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let last = 0
  socket.on('message', (data) => {
    const { id, result, error } = JSON.parse(String(data)) as Reply
    const call = id === undefined ? undefined : waiting.get(id)
    if (!call) return
    waiting.delete(id!)
    if (error) call.reject(new Error(error.message))
    else call.resolve(result)
  })
  return {
    call<T>(method: string, params: object = {}, sessionId?: string): Promise<T> {
      const id = ++last
      socket.send(JSON.stringify({ id, method, params, sessionId }))
      const answer = new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }))
      const late = delay(patience * 1000, undefined, { ref: false }).then(() => {
        throw new Error(`the browser does not answer ${method}`)
      })
      return Promise.race([answer, late]) as Promise<T>
    },
    close: () => socket.terminate(),
  }
}

/** The address of the debugging protocol, which the browser writes into its folder. */
async function debuggerOf(folder: string, child: ChildProcess): Promise<string> {
  const file = join(folder, 'DevToolsActivePort')
  for (let tries = 0; tries < patience * 10; tries++) {
    if (child.exitCode !== null) throw new Error(`the browser ended with code ${child.exitCode}`)
    const [port, path] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
    if (port && path) return `ws://127.0.0.1:${port}${path}`
    await delay(100)
  }
  throw new Error('the browser does not start')
}

/** Starts a browser with a profile of its own. */
export async function startChromium(program: string, folder: string, options: readonly string[]): Promise<Chromium> {
  const child = spawn(
    program,
    [
      ...[
        '--headless=new',
        '--remote-debugging-port=0',
        `--user-data-dir=${folder}`,
        '--no-first-run',
        '--disable-gpu',
      ],
      // As root it does not start otherwise, and this one sees pages of the test only.
      ...['--no-sandbox', '--disable-dev-shm-usage', '--disable-background-networking'],
      ...options,
    ],
    { stdio: 'ignore' },
  )
  const kill = () => child.kill('SIGKILL')
  process.on('exit', kill)
  const connection = await connect(await debuggerOf(folder, child))
  return {
    async evaluate<T>(url: string, expression: string) {
      const { targetId } = await connection.call<{ targetId: string }>('Target.createTarget', { url: 'about:blank' })
      const attach = { targetId, flatten: true }
      const { sessionId } = await connection.call<{ sessionId: string }>('Target.attachToTarget', attach)
      const { errorText } = await connection.call<{ errorText?: string }>('Page.navigate', { url }, sessionId)
      if (errorText) throw new Error(`${url}: ${errorText}`)
      const wanted = { expression, awaitPromise: true, returnByValue: true }
      await connection.call('Runtime.evaluate', { ...wanted, expression: loaded }, sessionId)
      const { result, exceptionDetails } = await connection.call<Evaluated>('Runtime.evaluate', wanted, sessionId)
      await connection.call('Target.closeTarget', { targetId })
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
      return result.value as T
    },
    async stop() {
      const ended = once(child, 'exit')
      await connection.call('Browser.close').catch(kill)
      const late = setTimeout(kill, 10_000)
      await ended
      clearTimeout(late)
      process.off('exit', kill)
      connection.close()
    },
  }
}

const loaded = `new Promise((resolve) => document.readyState === 'complete' ? resolve() : addEventListener('load', resolve))`
