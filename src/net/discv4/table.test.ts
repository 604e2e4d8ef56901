import { describe, expect, test } from 'vitest'
import { compareBytes } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import type { Enode } from '../enode.ts'
import { bucketSize, compareDistance, createNodeTable } from './table.ts'

const node = (n: number): Enode => ({
  id: new Uint8Array(64).fill(n & 255).fill(n >> 8, 32),
  ip: '10.0.0.1',
  tcpPort: n,
  udpPort: n,
})
const ports = (nodes: readonly Enode[]) => nodes.map(({ udpPort }) => udpPort)
const own = node(0)

/** Nodes of the farthest bucket, which holds half of all. */
const far = Array.from({ length: 200 }, (_, i) => node(i + 1)).filter(
  ({ id }) => ((keccak256(id)[0]! ^ keccak256(own.id)[0]!) & 0x80) !== 0,
)

describe('the table of nodes', () => {
  test('gives the nearest first', () => {
    const table = createNodeTable(own.id)
    const all = Array.from({ length: 30 }, (_, i) => node(i + 1))
    for (const one of all) table.add(one)
    const target = keccak256(Uint8Array.of(1))
    const distance = ({ id }: Enode) => keccak256(id).map((byte, i) => byte ^ target[i]!)
    const want = table.nodes().sort((a, b) => compareBytes(distance(a), distance(b)))
    expect(ports(table.closest(target, 5))).toEqual(ports(want.slice(0, 5)))
    expect(compareDistance(target, target, keccak256(own.id))).toBeLessThan(0)
  })

  test('holds neither the own node nor more than fit into a bucket', () => {
    const table = createNodeTable(own.id)
    table.add(own)
    for (const one of far) table.add(one)
    expect(table.nodes()).toHaveLength(bucketSize)
    expect(table.has(far[0]!.id)).toBe(true)
    expect(table.has(far[bucketSize]!.id)).toBe(false)
  })

  test('anyone who leaves makes room for the latest that waits', () => {
    const table = createNodeTable(own.id)
    for (const one of far.slice(0, bucketSize + 3)) table.add(one)
    table.remove(far[0]!.id)
    expect(table.has(far[bucketSize + 2]!.id)).toBe(true)
    expect(table.nodes()).toHaveLength(bucketSize)
    table.remove(own.id)
  })

  test('the one that was silent for longest is known, and a new place replaces an old one', () => {
    const table = createNodeTable(own.id)
    for (const one of far.slice(0, 3)) table.add(one)
    table.add({ ...far[0]!, udpPort: 9999 })
    expect(table.stalest(() => 0)).toEqual(far[1])
    expect(ports(table.nodes())).toContain(9999)
    expect(table.nodes()).toHaveLength(3)
    expect(createNodeTable(own.id).stalest(() => 0)).toBe(undefined)
  })
})
