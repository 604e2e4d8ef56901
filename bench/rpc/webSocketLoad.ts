import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Load } from './load.ts'
import type { WebSocketTask } from './webSocketWorker.ts'

const program = fileURLToPath(new URL('./webSocketWorker.js', import.meta.url))

async function run(task: WebSocketTask): Promise<Load & { readonly answers: readonly string[] }> {
  const child = spawn(process.execPath, [program, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, complaints, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  if (code !== 0) throw new Error(`WebSocket at port ${task.port}: ${complaints.slice(-300)}`)
  return JSON.parse(output)
}

/** Sends the requests in the lines of a file again and again over WebSockets, from that line on. */
export const cycleMessages = (task: WebSocketTask): Promise<Load> => run(task)

/** Sends each of them once and returns the answers as they are. */
export async function askMessages(port: number, bodies: string): Promise<readonly string[]> {
  return (await run({ port, bodies, from: 0, connections: 1, seconds: 0 })).answers
}
