import { expect, test } from 'vitest'
import { createKnownParties } from './knownParties.ts'
import { createCarefulLookup } from './localAddresses.ts'

const local = [
  'http://127.0.0.1:8545/',
  'http://127.9.9.9/',
  'http://0.0.0.0/',
  'http://localhost/',
  'http://a.localhost:80/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://169.254.169.254/latest/',
  'http://[fe80::1]/',
  'http://2130706433/',
]

test('no address of this machine is learned, unless the manager or one that was given is there', () => {
  const far = createKnownParties({ url: 'http://10.0.0.1:9000/', peers: ['http://10.0.0.2:9000/'] })
  for (const url of local) expect([url, far.learn(url, 'x')]).toEqual([url, undefined])
  expect(far.learn('http://10.0.0.3:9000/', 'x')).toBeDefined()
  const near = createKnownParties({ url: 'http://10.0.0.1:9000/', peers: ['http://127.0.0.1:9100/'] })
  expect(near.learn('http://127.0.0.1:9200/', 'x')).toBeDefined()
})

test('a name that leads to this machine is not called', async () => {
  const lookUp = (isTrusted: boolean) =>
    new Promise((resolve) =>
      createCarefulLookup(() => isTrusted)('localhost', { all: true }, (error) => resolve(error)),
    )
  expect(await lookUp(false)).toMatchObject({ message: 'localhost is an address of this machine' })
  expect(await lookUp(true)).toBeNull()
})

test('a source has few addresses, and who names most gives way', () => {
  const parties = createKnownParties({ url: 'http://10.0.0.1/', peers: [] })
  const name = (i: number, source: string) => parties.learn(`http://10.1.${i >> 8}.${i & 255}/`, source)
  const one = name(0, 'a')!
  one.isProven = true
  for (let i = 1; i <= 40; i++) expect(name(i, 'b') === undefined).toBe(i > 32)
  for (let i = 100; i < 1000; i++) name(i, `source ${i % 50}`)
  expect(parties.all().length).toBe(257)
  expect(name(2000, 'new')).toBeDefined()
  expect(parties.all().length).toBe(257)
  expect(parties.get(one.url)).toBe(one)
  for (let i = 0; i < 200; i++) {
    const party = parties.learn(`http://10.2.0.1:${1000 + i}/`, `source ${i}`)
    expect(party === undefined).toBe(i >= 100)
    if (party) party.isProven = true
  }
})
