import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkTrustedSetup } from './checkTrustedSetup.ts'

// A point that is in every published file of Ethereum's trusted setup.
const point =
  'b5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72' +
  '185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2'

test("only the setup of Ethereum's ceremony is accepted", () => {
  const dir = mkdtempSync(join(tmpdir(), 'quoin-kzg-'))
  const file = join(dir, 'setup.txt')
  try {
    writeFileSync(file, `4096\n65\n${point}\n`)
    expect(() => checkTrustedSetup(file)).not.toThrow()
    writeFileSync(file, `4096\n65\n${point.replace('b5', 'b6')}\n`)
    expect(() => checkTrustedSetup(file)).toThrow('is not the trusted setup')
    expect(() => checkTrustedSetup(`${file}.none`)).toThrow('cannot be read (ENOENT)')
  } finally {
    rmSync(dir, { recursive: true })
  }
})
