import { expect, test } from 'vitest'
import { groups, options } from '../config/options.ts'
import { envName } from '../config/resolveConfig.ts'
import { commands, main } from './commands.ts'
import { helpText, wrap } from './help.ts'

test('names every option, its variable and every command, under every heading', () => {
  const help = helpText([main], 80)
  for (const name of Object.keys(options)) {
    expect(help).toMatch(new RegExp(`^  (-l, )?--${name}[[=]`, 'm'))
    expect(help).toMatch(new RegExp(`Env:\\s+${envName(name)}\\.`))
  }
  for (const title of Object.values(groups)) expect(help).toContain(`\n${title}\n`)
  for (const { name } of commands) expect(help).toMatch(new RegExp(`^  ${name} `, 'm'))
})

test('commands come before options, of which there are hundreds', () => {
  const help = helpText([main], 80)
  expect(help.indexOf('\nCommands\n')).toBeGreaterThan(0)
  for (const title of Object.values(groups))
    expect(help.indexOf(`\n${title}\n`)).toBeGreaterThan(help.indexOf('\nCommands\n'))
})

test('every option belongs to a group that is shown', () => {
  for (const { group } of Object.values(options)) expect(Object.keys(groups)).toContain(group)
})

test('fits the terminal', () => {
  for (const columns of [60, 80, 120])
    for (const line of helpText([main], columns).split('\n')) expect(line.length).toBeLessThanOrEqual(columns)
})

test('wraps at spaces, keeps long words whole', () => {
  expect(wrap('aaa bb cc dddddddddd e', 6, 1)).toBe(' aaa\n bb cc\n dddddddddd\n e')
})
