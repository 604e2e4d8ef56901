import { join } from 'node:path'
import { genesisCases } from '../config/genesisCases.ts'
import { importCases } from '../config/importCases.ts'
import { listCases } from '../config/listCases.ts'
import { tomlCases } from '../config/tomlCases.ts'
import type { Suite } from '../suite.ts'

export const besuConfig: Suite = {
  name: 'besu-config',
  doc: "Besu's configuration files, every option in them by each way to set it, and the other files that it reads.",
  *cases(data) {
    const folder = join(data.folder, 'besu-config')
    yield* data.share([...tomlCases(folder), ...listCases(data), ...genesisCases(data), ...importCases(data)])
  },
}
