import { execFileSync, spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { options } from '../config/options.ts'
import { commands, main } from './commands.ts'
import { completionScript, shells } from './completion.ts'

test.each(shells)('%s: every command and option is offered', (shell) => {
  const script = completionScript(shell, main)
  for (const name of Object.keys(options)) expect(script).toContain(shell === 'fish' ? `-l ${name} ` : `--${name}`)
  for (const { name } of commands) expect(script).toContain(name)
})

describe.skipIf(spawnSync('bash', ['--version']).status !== 0)('bash', () => {
  /** What bash offers for the words; the last one is being typed. */
  function offers(...words: string[]): string[] {
    const script = `${completionScript('bash', main)}
      COMP_WORDS=(${['quoin', ...words].map((word) => `'${word}'`).join(' ')})
      COMP_CWORD=${words.length}
      _quoin
      printf '%s\\n' "\${COMPREPLY[@]}"`
    return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n')
  }

  test.each([
    [['--rpc-http-po'], ['--rpc-http-port=']],
    [['--discovery-en'], ['--discovery-enabled']],
    [['--tx-pool', '=', 'leg'], ['legacy']],
    [
      ['--p2p-enabled', '='],
      ['true', 'false'],
    ],
    [['blo'], ['blocks']],
    [
      ['--data-path', '=', 'x', 'blocks', ''],
      ['import', 'export', '--help'],
    ],
    [['blocks', 'export', '--to'], ['--to=']],
    [['verify', '--re'], ['--repair']],
  ])('%j', (words, offered) => {
    expect(offers(...words)).toEqual(offered)
  })
})
