import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PeerCertificate } from 'node:tls'
import { afterAll, expect, test } from 'vitest'
import { createKnownClients, isKnownClient, readKnownClients } from './knownClients.ts'

const folder = mkdtempSync(join(tmpdir(), 'quoin-known-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = join(folder, 'known')
const print = Array.from({ length: 32 }, (_, i) => (i + 0xa0).toString(16).toUpperCase()).join(':')
const otherPrint = print.replace('A0', 'FF')
const certificate = (CN: string | string[], fingerprint256 = print) => ({ subject: { CN }, fingerprint256 }) as never

function read(text: string) {
  writeFileSync(file, text)
  return readKnownClients(file)
}

test.each([
  ['colons', `client ${print}\n`],
  ['lower case', `client ${print.toLowerCase()}`],
  ['no colons', `client ${print.replaceAll(':', '')}\r\n`],
  ['tabs, comments and blank lines', `# who may call\n\n \tclient\t ${print} \n`],
])('a fingerprint is read with %s', (_, text) => {
  expect(isKnownClient(read(text), certificate('client'))).toBe(true)
})

test('name and fingerprint must both fit', () => {
  const clients = read(`client ${print}\nAcme Ltd ${otherPrint}\n`)
  expect(isKnownClient(clients, certificate('other'))).toBe(false)
  expect(isKnownClient(clients, certificate('client', otherPrint))).toBe(false)
  expect(isKnownClient(clients, certificate('Acme Ltd', otherPrint))).toBe(true)
  expect(isKnownClient(clients, certificate(['client', 'client']))).toBe(false)
  expect(isKnownClient(clients, { subject: {}, fingerprint256: print } as PeerCertificate)).toBe(false)
})

test.each([
  ['without fingerprint', 'client'],
  ['without name', print],
  ['with a short fingerprint', `client ${print.slice(3)}`],
  ['with a long fingerprint', `client ${print}:00`],
  ['with another digit', `client ${print.slice(1)}G`],
])('a line %s is invalid', (_, line) => {
  expect(() => read(`# list\n${line}\n`)).toThrow(`${file}: line 2 is not a common name`)
})

test('a missing file is created empty, one that is there stays', () => {
  const path = join(folder, 'new')
  expect(() => readKnownClients(path)).toThrow('ENOENT')
  createKnownClients(path)
  expect(existsSync(path)).toBe(true)
  expect(readKnownClients(path).size).toBe(0)
  writeFileSync(path, `client ${print}`)
  createKnownClients(path)
  expect(readFileSync(path, 'utf8')).toBe(`client ${print}`)
})
