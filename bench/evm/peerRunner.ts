import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Workload } from '../workloads/workload.ts'
import type { Round, Runner } from './runner.ts'

/** Another program that holds the workloads: told one's name on a line, it answers with a line of JSON. */
export function createPeerRunner(
  name: string,
  program: string,
  args: readonly string[],
  { memoryOnly = false } = {},
): Runner {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ended = once(child, 'close')
  return {
    name,
    memoryOnly,
    async run(workload: Workload): Promise<Round> {
      child.stdin.write(workload.name + '\n')
      const { value, done } = await lines.next()
      if (done) throw new Error(`${name} ended in ${workload.name}`)
      return JSON.parse(value) as Round
    },
    async close() {
      child.stdin.end()
      await ended
    },
  }
}
