import { expect, test } from 'vitest'
import { devAccounts } from '../forks/devGenesis.ts'
import { devAccountLines } from './welcome.ts'

test.each([60, 80, 111, 112, 200])('in a window of %i columns addresses and keys are not broken', (columns) => {
  const lines = devAccountLines(columns).flatMap((line) => line.split('\n'))
  for (const { privateKey } of devAccounts)
    expect(lines.filter((line) => line.endsWith(` 0x${privateKey}`))).toHaveLength(1)
  const keyLines = lines.filter((line) => line.includes('0x'))
  for (const line of keyLines) expect(line.length).toBeLessThanOrEqual(Math.max(columns, 70))
})

test('addresses are written with their checksum, as libraries want them', () => {
  expect(devAccountLines(80).join('\n')).toContain('0xFE3B557E8Fb62b89F4916B721be55cEb828dBd73')
})
