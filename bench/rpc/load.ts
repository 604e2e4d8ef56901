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

/** What a load came to. */
export interface Load {
  readonly requests: number
  readonly seconds: number
}

const head = `wrk.method = "POST"\nwrk.headers["Content-Type"] = "application/json"\n`

const units: Readonly<Record<string, number>> = { us: 1e-6, ms: 1e-3, s: 1, m: 60 }

/** Runs wrk with one thread on a script. Answers that are no success of HTTP are an error. */
async function run(url: string, script: string, options: LoadOptions): Promise<Load> {
  const { folder, seconds, connections, headers = {} } = options
  const file = join(folder, 'load.lua')
  const more = Object.entries(headers).map(([name, value]) => `wrk.headers["${name}"] = "${value}"\n`)
  writeFileSync(file, head + more.join('') + script)
  const child = spawn('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout=30s', '-s', file, url])
  const failed = new Promise<never>((_, reject) => {
    child.on('error', () => reject(new Error('wrk cannot be run: install it, for instance with `apt-get install wrk`')))
  })
  const output = await Promise.race([text(child.stdout), failed])
  const said = /(\d+) requests in ([\d.]+)(us|ms|s|m),/.exec(output)
  if (!said || /Non-2xx|Socket errors/.test(output)) throw new Error(`${url}: ${output}`)
  return { requests: Number(said[1]), seconds: Number(said[2]) * units[said[3]!]! }
}

/** Requests per second when the same request is sent again and again. */
export async function repeatRequest(url: string, body: string, options: LoadOptions): Promise<number> {
  const { requests, seconds } = await run(url, `wrk.body = [==[${body}]==]\n`, options)
  return requests / seconds
}

/** Sends the requests in the lines of a file again and again, from that line on. */
export function cycleRequests(url: string, bodiesFile: string, from: number, options: LoadOptions): Promise<Load> {
  // The whole requests are made before the first is sent, so that to send different ones costs no more than to send one.
  return run(
    url,
    `local requests, at = {}, ${from}
function init(args)
  for body in io.lines([==[${bodiesFile}]==]) do
    requests[#requests + 1] = wrk.format(nil, nil, nil, body)
  end
end
function request()
  at = at % #requests + 1
  return requests[at]
end
`,
    options,
  )
}

/** Sends each of these requests once, as fast as the server takes them; what follows asks for the chain's id. */
export async function sendRequests(url: string, bodies: readonly string[], options: LoadOptions): Promise<void> {
  const file = join(options.folder, 'bodies.txt')
  // The first request that wrk makes is a trial that it does not send.
  writeFileSync(file, `${['trial', ...bodies].join('\n')}\n`)
  await run(
    url,
    `local bodies = io.lines([==[${file}]==])
function request()
  return wrk.format(nil, nil, nil, bodies() or '{"id":1,"jsonrpc":"2.0","method":"eth_chainId","params":[]}')
end
`,
    options,
  )
}
