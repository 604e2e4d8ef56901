import { expect, test } from 'vitest'
import { createManualClock } from '../../../test/support/manualClock.ts'
import { createSilentLogs } from '../../../test/support/silentLogs.ts'
import type { Address, Hash32 } from '../../primitives/bytes.ts'
import type { DisconnectReason } from '../protocol.ts'
import { badMessage } from './fault.ts'
import { snapRequests } from './messages.ts'
import { encodeRequest } from './requests.ts'
import { decodeResponse, encodeResponse } from './responses.ts'
import { createSnapProtocol } from './snapProtocol.ts'
import type { StateRequest } from './stateServer.ts'

interface Asked extends StateRequest {
  answer(response: Uint8Array): Promise<void>
  fail(error: Error): Promise<void>
}

/** A protocol whose server is the test. */
function start(sendTime = 0) {
  const clock = createManualClock(0)
  const asked: Asked[] = []
  let time = 0
  const protocol = createSnapProtocol({
    server: {
      ask: (request) =>
        new Promise((resolve, reject) => {
          asked.push({
            ...request,
            answer: async (response) => settle(() => resolve(response)),
            fail: async (error) => settle(() => reject(error)),
          })
        }),
    },
    clock,
    now: () => time,
    log: createSilentLogs(),
  })

  function open(n: number) {
    const sent: { code: number; payload: Uint8Array }[] = []
    const ended: DisconnectReason[] = []
    let backlog = 0
    const session = protocol.open({
      peer: {
        id: new Uint8Array(64).fill(n),
        address: new Uint8Array(20).fill(n) as Address,
        clientId: 'test',
        inbound: true,
        isStatic: false,
        capabilities: [],
        remote: { ip: '127.0.0.1', port: 1 },
        local: { ip: '127.0.0.1', port: 2 },
        listenPort: 0,
      },
      send(code, payload) {
        time += sendTime
        return sent.push({ code, payload }) > 0
      },
      disconnect: (reason) => void ended.push(reason),
      backlog: () => backlog,
    })
    return { session, sent, ended, setBacklog: (bytes: number) => void (backlog = bytes) }
  }
  const pass = (milliseconds: number): void => {
    time += milliseconds
    clock.run(milliseconds)
  }
  return { asked, open, pass }
}

async function settle(action: () => void): Promise<void> {
  action()
  await new Promise(setImmediate)
}

const codes = (id: bigint) => encodeRequest('byteCodes', id, { hashes: [new Uint8Array(32) as Hash32], bytes: 1 })
const code = snapRequests.byteCodes
const response = (id: bigint) => encodeResponse('byteCodes', id, [Uint8Array.of(1)])

test('requests are answered one at a time, in order', async () => {
  const { asked, open } = start()
  const { session, sent } = open(1)
  for (const id of [1n, 2n, 3n]) session.onMessage(code, codes(id))
  expect(asked.length).toBe(1)
  await asked[0]!.answer(response(1n))
  expect(sent).toEqual([{ code: code + 1, payload: response(1n) }])
  expect(asked.length).toBe(2)
  await asked[1]!.answer(response(2n))
  await asked[2]!.answer(response(3n))
  expect(sent.map(({ payload }) => decodeResponse('byteCodes', payload).id)).toEqual([1n, 2n, 3n])
})

test('a malformed request ends the connection', async () => {
  const { asked, open } = start()
  const { session, ended, sent } = open(1)
  session.onMessage(code, codes(1n))
  await asked[0]!.fail(badMessage('test'))
  expect([ended, sent]).toEqual([['breachOfProtocol'], []])
  expect(() => session.onMessage(code + 1, response(1n))).toThrow('a response that nothing asked for')
  expect(() => session.onMessage(code, new Uint8Array(1 << 20))).toThrow('request of 1048576 bytes')
})

test('a request that cannot be served now is answered with nothing', async () => {
  const { asked, open } = start()
  const { session, ended, sent } = open(1)
  session.onMessage(code, codes(9n))
  await asked[0]!.fail(new Error('busy'))
  expect(ended).toEqual([])
  expect(decodeResponse('byteCodes', sent[0]!.payload)).toEqual({ id: 9n, message: [] })
  for (const kind of ['accountRange', 'storageRanges', 'trieNodes'] as const) {
    session.onMessage(snapRequests[kind], codes(7n))
    await asked.at(-1)!.fail(new Error('busy'))
    expect(decodeResponse(kind, sent.at(-1)!.payload).id).toBe(7n)
  }
  // Not even a number to answer to.
  session.onMessage(code, Uint8Array.of(0x80))
  await asked.at(-1)!.fail(new Error('busy'))
  expect(ended).toEqual(['breachOfProtocol'])
})

test('a peer that asks for too much at once is disconnected', () => {
  const { open } = start()
  const { session } = open(1)
  for (let id = 0n; id < 33n; id++) session.onMessage(code, codes(id))
  expect(() => session.onMessage(code, codes(33n))).toThrow('too many requests at once')
})

test('a peer that does not read gets nothing until it does', async () => {
  const { asked, open, pass } = start()
  const peer = open(1)
  peer.setBacklog(4 << 20)
  peer.session.onMessage(code, codes(1n))
  await asked[0]!.answer(response(1n))
  pass(1000)
  expect(peer.sent).toEqual([])
  peer.setBacklog(0)
  pass(20)
  expect(peer.sent.length).toBe(1)
})

test('sending takes a fifth of the time, for all peers together', async () => {
  const { asked, open, pass } = start(10)
  const peers = [open(1), open(2)]
  for (const { session } of peers) session.onMessage(code, codes(1n))
  await asked[0]!.answer(response(1n))
  await asked[1]!.answer(response(1n))
  expect(peers.map(({ sent }) => sent.length)).toEqual([1, 0])
  pass(39)
  expect(peers[1]!.sent.length).toBe(0)
  pass(20)
  expect(peers[1]!.sent.length).toBe(1)
})

test('nothing is sent after the end, and the server learns of it', async () => {
  const { asked, open } = start()
  const { session, sent, ended } = open(1)
  session.onMessage(code, codes(1n))
  session.onMessage(code, codes(2n))
  session.onClose()
  expect(asked[0]!.isGone()).toBe(true)
  await asked[0]!.answer(response(1n))
  expect([asked.length, sent, ended]).toEqual([1, [], []])
})
