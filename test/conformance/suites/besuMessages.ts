import { createBftReader } from '../../../src/consensus/bft/bftReader.ts'
import { type BftEncoding, encodingOf, inEncoding } from '../../../src/consensus/bft/messageEncoding.ts'
import type { BftKind, BftMessage } from '../../../src/consensus/bft/messages.ts'
import type { BftProtocol } from '../../../src/consensus/bft/protocol.ts'
import { readMessage } from '../../../src/consensus/bft/readMessage.ts'
import { ibft2Protocol } from '../../../src/consensus/ibft2/ibft2Protocol.ts'
import { qbftProtocol } from '../../../src/consensus/qbft/qbftProtocol.ts'
import { expectBytes, expectEqual, Mismatch } from '../../../src/evmtool/expect.ts'
import { toBytes } from '../../../src/evmtool/json.ts'
import { toHex } from '../../../src/primitives/hex.ts'
import { privateKeyToAddress } from '../../../src/primitives/secp256k1.ts'
import type { Authority } from '../../support/authorityChain.ts'
import { cryptoOf } from '../../support/machineNetwork.ts'
import type { Data } from '../data.ts'
import type { Case, Suite } from '../suite.ts'

const folder = 'besu-26'
const protocols: Readonly<Record<string, BftProtocol>> = { qbft: qbftProtocol, ibft2: ibft2Protocol }

/** The keys with which the messages of the codec are signed. */
const keys: readonly Authority[] = [0x11, 0x22, 0x33].map((byte) => {
  const key = new Uint8Array(32).fill(byte)
  return { key, address: privateKeyToAddress(key) }
})

function linesOf(data: Data, file: string): string[][] {
  const text = Buffer.from(data.bytes(`${folder}/${file}`)).toString()
  return text.split('\n').flatMap((line) => (line === '' || line.startsWith('#') ? [] : [line.split(' ')]))
}

function read(protocol: BftProtocol, kind: BftKind, bytes: Uint8Array): BftMessage {
  return readMessage(protocol, kind, bytes, createBftReader(protocol, cryptoOf(keys[0]!)))
}

/** What a message of the codec says, whatever it is written in. */
function textOf(protocol: BftProtocol, kind: BftKind, bytes: Uint8Array): string {
  const { signed, ...rest } = read(protocol, kind, bytes)
  const shown = (_: string, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value instanceof Uint8Array ? toHex(value) : value
  return JSON.stringify({ ...rest, author: signed.author, payload: signed.payload }, shown)
}

function protocolOf(name: string): BftProtocol {
  return name.startsWith('ibft2-') ? ibft2Protocol : qbftProtocol
}

const kindOfName = (name: string): BftKind => (name.includes('proposal') ? 'proposal' : 'roundChange')

/** A message as Besu's own codec writes it in both encodings: read the same, and written as Besu writes the other one. */
function checkPair(name: string, current: Uint8Array, legacy: Uint8Array): void {
  const protocol = protocolOf(name)
  const kind = kindOfName(name)
  expectEqual('what it says', textOf(protocol, kind, current), textOf(protocol, kind, legacy))
  const { signed } = read(protocol, kind, current)
  const signer = keys.find(({ address }) => toHex(address) === toHex(signed.author))
  if (!signer) throw new Mismatch(`the author is ${toHex(signed.author)}, expected one of the three`)
  const write = (bytes: Uint8Array, encoding: BftEncoding) =>
    inEncoding(protocol, kind, bytes, encoding, cryptoOf(signer).sign)
  expectEqual('encoding', encodingOf(protocol, kind, current), 'accessList')
  expectEqual('encoding', encodingOf(protocol, kind, legacy), 'legacy')
  expectBytes('without list', write(current, 'legacy'), legacy)
  expectBytes('with list', write(legacy, 'accessList'), current)
}

/** A block with an access list that is empty: read like one without, and never written without it. */
function checkEmptyList(name: string, bytes: Uint8Array, plain: Uint8Array): void {
  const protocol = protocolOf(name)
  const kind = kindOfName(name)
  expectEqual('what it says', textOf(protocol, kind, bytes), textOf(protocol, kind, plain))
  const written = inEncoding(protocol, kind, bytes, 'legacy', cryptoOf(keys[0]!).sign)
  if (written) throw new Mismatch('its list can be left out')
}

function codecCases(data: Data): Case[] {
  const lines = linesOf(data, 'codec-fixtures.txt')
  const bytesOf = (form: string, name: string) => {
    const line = lines.find((one) => one[0] === form && one[1] === name)
    return line && toBytes(line[2]!)
  }
  return lines
    .filter(([form]) => form === 'current')
    .map(([, name = '', hex = '']) => ({
      name: `codec/${name}`,
      run() {
        const legacy = bytesOf('legacy', name)
        if (legacy) return checkPair(name, toBytes(hex), legacy)
        const plain = bytesOf('current', name.replace('-emptyBAL', ''))
        if (!plain || !name.endsWith('-emptyBAL')) throw new Mismatch('nothing to compare it with')
        checkEmptyList(name, toBytes(hex), plain)
      },
    }))
}

function capturedCases(data: Data, name: string): Case[] {
  return linesOf(data, `captured-${name}-from-besu-26.8.0.txt`).map(([, protocol = '', kind, author, hex = ''], i) => ({
    name: `captured/${name}/${i} ${kind}`,
    run() {
      const bytes = toBytes(`0x${hex}`)
      const { signed } = read(protocols[protocol]!, kind as BftKind, bytes)
      expectEqual('author', toHex(signed.author), `0x${author}`)
    },
  }))
}

export const besuMessages: Suite = {
  name: 'besu-messages',
  doc: 'Messages of IBFT 2.0 and QBFT as Besu 26 writes them, by its codec and on the wire, in both encodings.',
  cases: (data) => data.share([...codecCases(data), ...capturedCases(data, 'qbft'), ...capturedCases(data, 'ibft2')]),
}
