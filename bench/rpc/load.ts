import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

export interface LoadOptions {
  readonly folder: string
  readonly seconds: number
  readonly connections: number
  /** Besides the content type. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

const head = `wrk.method = "POST"\nwrk.headers["Content-Type"] = "application/json"\n`

/** Runs wrk with one thread on a script; requests per second. Answers that are no success of HTTP are an error. */
async function run(url: string, script: string, options: LoadOptions): Promise<number> {
  const { folder, seconds, connections, headers = {} } = options
  const file = join(folder, 'load.lua')
  const more = Object.entries(headers).map(([name, value]) => `wrk.headers["${name}"] = "${value}"\n`)
  writeFileSync(file, head + more.join('') + script)
  const child = spawn('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout=30s', '-s', file, url])
  const failed = new Promise<never>((_, reject) => {
    child.on('error', () => reject(new Error('wrk cannot be run: install it, for instance with `apt-get install wrk`')))
  })
  const output = await Promise.race([text(child.stdout), failed])
  const rate = /Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]
  if (rate === undefined || /Non-2xx|Socket errors/.test(output)) throw new Error(`${url}: ${output}`)
  return Number(rate)
}

/** Requests per second when the same request is sent again and again. */
export function repeatRequest(url: string, body: string, options: LoadOptions): Promise<number> {
  return run(url, `wrk.body = [==[${body}]==]\n`, options)
}

/** Sends each of these requests once, as fast as the server takes them; what follows asks for the chain's id. */
export function sendRequests(url: string, bodies: readonly string[], options: LoadOptions): Promise<number> {
  const file = join(options.folder, 'bodies.txt')
  // The first request that wrk makes is a trial that it does not send.
  writeFileSync(file, `${['trial', ...bodies].join('\n')}\n`)
  return run(
    url,
    `local bodies = io.lines([==[${file}]==])
function request()
  return wrk.format(nil, nil, nil, bodies() or '{"id":1,"jsonrpc":"2.0","method":"eth_chainId","params":[]}')
end
`,
    options,
  )
}
