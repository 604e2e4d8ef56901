// Sends the requests in the lines of a file over WebSockets and writes what came of it to standard output, as JSON. A process of its
// own, because wrk has no WebSockets: node dist/bench/rpc/webSocketWorker.js '{"port":8546,"bodies":"FILE",…}'
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { messageLength, openWebSocket, textFrame } from '../webSocket.ts'
import type { Load } from './load.ts'

/** What this program is told. */
export interface WebSocketTask {
  readonly port: number
  /** File of the requests, one a line. */
  readonly bodies: string
  /** Line to begin with. */
  readonly from: number
  readonly connections: number
  /** 0 sends each request once, and writes the answers. */
  readonly seconds: number
}

const task = JSON.parse(process.argv[2]!) as WebSocketTask
const frames = readFileSync(task.bodies, 'utf8').trimEnd().split('\n').map(textFrame)
const opcodeText = 1
const errorMember = Buffer.from('"error"')

let next = task.from
let requests = 0
const answers: string[] = []
let isOver: (count: number) => boolean

function failed(reason: string): never {
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}

function payloadOf(message: Buffer): string {
  return message.subarray(message[1]! === 126 ? 4 : 2).toString()
}

/** One request at a time, as wrk does. */
async function openConnection(): Promise<() => void> {
  let rest: Buffer | undefined
  let socket: Socket
  const send = () => socket.write(frames[next++ % frames.length]!)
  socket = await openWebSocket(task.port, (chunk) => {
    let bytes = rest ? Buffer.concat([rest, chunk]) : chunk
    for (let length = messageLength(bytes); length !== undefined; length = messageLength(bytes)) {
      const message = bytes.subarray(0, length)
      bytes = bytes.subarray(length)
      if ((message[0]! & 15) !== opcodeText) continue
      if (message.includes(errorMember)) failed(payloadOf(message))
      if (task.seconds === 0) answers.push(payloadOf(message))
      if (!isOver(++requests)) send()
    }
    rest = bytes.length > 0 ? Buffer.from(bytes) : undefined
  })
  socket.on('close', () => failed('the server closed a connection'))
  return send
}

/** Resolves when the last answer that counts is there. */
function over(): Promise<void> {
  return new Promise((resolve) => {
    const end = performance.now() + task.seconds * 1000
    isOver = (count) => {
      const ended = task.seconds === 0 ? count === frames.length : performance.now() >= end
      if (ended) resolve()
      return ended
    }
  })
}

const sends: (() => void)[] = []
for (let i = 0; i < (task.seconds === 0 ? 1 : task.connections); i++) sends.push(await openConnection())
const start = performance.now()
const ended = over()
for (const send of sends) send()
await ended
const result: Load & { answers: readonly string[] } = {
  requests,
  seconds: (performance.now() - start) / 1000,
  answers,
}
process.stdout.write(JSON.stringify(result), () => process.exit(0))
