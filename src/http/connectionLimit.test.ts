import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { limitConnections } from './connectionLimit.ts'

/** A server of at most so many connections, and what opens one from an address. */
function serverOf(max: number) {
  const server = new EventEmitter() as Server
  const connections = limitConnections(server, max)
  function open(remoteAddress: string) {
    const socket = new EventEmitter() as Socket & { isOpen: boolean }
    const destroy = () => {
      socket.isOpen = false
      return socket
    }
    Object.assign(socket, { remoteAddress, isOpen: true, destroy })
    server.emit('connection', socket)
    return socket
  }
  return { connections, open }
}

const stateOf = (sockets: readonly { readonly isOpen: boolean }[]) => sockets.map(({ isOpen }) => isOpen)

test('the address with the most connections gives way, its longest silent one first', () => {
  const { connections, open } = serverOf(4)
  const honest = open('10.0.0.1')
  const greedy = [open('10.0.0.2'), open('10.0.0.2'), open('10.0.0.2')]
  connections.touch(greedy[0]!)
  const other = open('10.0.0.3')
  expect(stateOf([honest, ...greedy, other])).toEqual([true, true, false, true, true])
})

test('what one address opens beyond the limit takes the places of its own', () => {
  const { open } = serverOf(4)
  const honest = open('10.0.0.1')
  const greedy = Array.from({ length: 20 }, () => open('10.0.0.2'))
  expect(honest.isOpen).toBe(true)
  expect(stateOf(greedy).filter(Boolean)).toHaveLength(3)
})

test('a connection that waits for an answer stays while another one may leave', () => {
  const { connections, open } = serverOf(3)
  const [first, second, third] = [open('10.0.0.1'), open('10.0.0.1'), open('10.0.0.2')]
  connections.answer(first)
  connections.keep(second, () => true)
  open('10.0.0.3')
  expect(stateOf([first, second, third])).toEqual([true, true, false])
})

test('one address does not lock out others, be its connections ever so busy', () => {
  const { connections, open } = serverOf(8)
  const greedy = Array.from({ length: 8 }, () => {
    const socket = open('10.0.0.1')
    connections.keep(socket, () => true)
    return socket
  })
  const others = Array.from({ length: 8 }, () => {
    const socket = open('10.0.0.2')
    connections.answer(socket)
    return socket
  })
  // Until neither has more than twice as many as the other.
  expect(stateOf(greedy).filter(Boolean).length).toBeGreaterThanOrEqual(4)
  expect(stateOf(others).filter(Boolean).length).toBeGreaterThanOrEqual(2)
  expect(stateOf([...greedy, ...others]).filter(Boolean)).toHaveLength(8)
})

test('a connection that is needed no more gives way again', () => {
  const { connections, open } = serverOf(1)
  let isNeeded = true
  const first = open('10.0.0.1')
  connections.keep(first, () => isNeeded)
  const refused = open('10.0.0.1')
  isNeeded = false
  const next = open('10.0.0.1')
  expect(stateOf([first, refused, next])).toEqual([false, false, true])
})
