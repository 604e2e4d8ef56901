import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** What the runner says about a flow; without a problem it passed. */
export interface FlowResult {
  readonly name: string
  readonly problem: string | undefined
}

/** Runs the recorded flows of a network against nodes that run. */
export async function runFlows(source: string, args: readonly string[]): Promise<readonly FlowResult[]> {
  const all = [join(source, 'run.mjs'), '--verbose', ...args, join(source, 'flows')]
  const text = await run(process.execPath, all, { maxBuffer: 1 << 26 }).then(
    ({ stdout }) => stdout,
    (failed: { stdout?: string }) => failed.stdout || String(failed),
  )
  if (!/ passed, [0-9]+ failed\s*$/.test(text)) throw new Error(text)
  const heads = [...text.matchAll(/^(ok {2}|FAIL|skip) (\S+) /gm)]
  return heads.map(({ 1: verdict, 2: name, index }, i) => {
    const said = text.slice(index, heads[i + 1]?.index).trimEnd()
    return { name: name!, problem: verdict === 'ok  ' ? undefined : said }
  })
}
