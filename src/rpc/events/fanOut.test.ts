import { expect, test } from 'vitest'
import { createFanOut } from './fanOut.ts'

/** A fan-out whose clock a test moves. */
function open() {
  let publish: ((event: string) => void) | undefined
  let time = 0
  const fanOut = createFanOut<string>(
    (listener) => {
      publish = listener
      return () => void (publish = undefined)
    },
    () => time,
  )
  return {
    fanOut,
    publish: (event: string) => publish?.(event),
    pass: (by: number) => void (time += by),
    isOn: () => !!publish,
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('all hear all events in order, those that are quick at once', () => {
  const { fanOut, publish } = open()
  const heard: string[] = []
  fanOut.add((event) => heard.push(`a${event}`))
  fanOut.add((event) => heard.push(`b${event}`))
  publish('1')
  publish('2')
  expect(heard).toEqual(['a1', 'b1', 'a2', 'b2'])
})

test('others have their turn while many are told', async () => {
  const { fanOut, publish, pass } = open()
  const heard: string[] = []
  for (const name of ['a', 'b', 'c'])
    fanOut.add((event) => {
      heard.push(name + event)
      pass(3)
    })
  publish('1')
  expect(heard).toEqual(['a1', 'b1'])
  publish('2')
  expect(heard).toEqual(['a1', 'b1'])
  await turn()
  expect(heard).toEqual(['a1', 'b1', 'c1', 'a2'])
  await turn()
  expect(heard).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2'])
})

test('who leaves hears nothing more, who comes hears what comes', async () => {
  const { fanOut, publish, pass } = open()
  const heard: string[] = []
  fanOut.add(() => pass(10))
  const leave = fanOut.add((event) => heard.push(`left${event}`))
  publish('1')
  leave()
  fanOut.add((event) => heard.push(`new${event}`))
  await turn()
  expect(heard).toEqual([])
  publish('2')
  await turn()
  expect(heard).toEqual(['new2'])
})

test('the source is listened to while somebody listens', () => {
  const { fanOut, isOn } = open()
  expect(isOn()).toBe(false)
  const stops = [fanOut.add(() => {}), fanOut.add(() => {})]
  expect(isOn()).toBe(true)
  stops[0]!()
  expect(isOn()).toBe(true)
  stops[1]!()
  expect(isOn()).toBe(false)
})
