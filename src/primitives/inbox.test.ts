import { expect, test } from 'vitest'
import { createInbox } from './inbox.ts'

interface Step {
  readonly name: string
  readonly next?: readonly Step[]
}

function createRun() {
  const said: string[] = []
  const inbox = createInbox<Step>(({ name, next = [] }) => {
    said.push(`${name} begins`)
    if (name === 'fails') throw new Error('failed')
    if (name === 'forgets') inbox.clear()
    for (const step of next) inbox.put(step)
    said.push(`${name} ends`)
  })
  return { said, inbox }
}

test('what comes in between waits until the event before is done with', () => {
  const { said, inbox } = createRun()
  inbox.put({ name: 'a', next: [{ name: 'b', next: [{ name: 'd' }] }, { name: 'c' }] })
  expect(said.filter((line) => line.endsWith('begins'))).toEqual(['a begins', 'b begins', 'c begins', 'd begins'])
  expect(said.slice(0, 2)).toEqual(['a begins', 'a ends'])
})

test('what was forgotten is not handled, what comes later is', () => {
  const { said, inbox } = createRun()
  inbox.put({ name: 'a', next: [{ name: 'forgets', next: [{ name: 'c' }] }, { name: 'b' }] })
  expect(said).not.toContain('b begins')
  expect(said).toContain('c ends')
})

test('an event that fails does not close the inbox', () => {
  const { said, inbox } = createRun()
  expect(() => inbox.put({ name: 'fails' })).toThrow('failed')
  inbox.put({ name: 'a' })
  expect(said).toContain('a ends')
})

test('while it is held events wait, and come in order then', () => {
  const { said, inbox } = createRun()
  const release = inbox.hold()
  inbox.put({ name: 'a' })
  inbox.put({ name: 'b' })
  expect(said).toEqual([])
  release()
  expect(said).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
})

test('the event that holds it is handled to its end, those behind it wait', () => {
  const said: string[] = []
  let release = () => {}
  const inbox = createInbox<string>((name) => {
    if (name === 'holds') release = inbox.hold()
    said.push(name)
  })
  inbox.put('holds')
  inbox.put('waits')
  expect(said).toEqual(['holds'])
  release()
  expect(said).toEqual(['holds', 'waits'])
})
