import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from './command.ts'

/** Packages of Maven Central that a test uses; they are fetched on first use into a folder outside of the repository. */
export interface JavaPackages {
  readonly folder: string
  /** Runs the text of a program that has them, compiled on the way. */
  readonly java: readonly [program: string, ...args: string[]]
  /** Fetches what is not there yet; returns why it cannot be had, undefined when it is there. */
  fetch(): Promise<string | undefined>
}

/** By name, so that what comes with Maven does not matter. */
const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies'

function projectOf(packages: readonly string[]): string {
  const all = packages.map((one) => {
    const [group, artifact, version] = one.split(':')
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`
  })
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>quoin</groupId><artifactId>interop</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>${all.join('\n')}</dependencies>
</project>
`
}

/** Packages `GROUP:ARTIFACT:VERSION`, with what they need, in a folder of a name. */
export function createJavaPackages(name: string, packages: readonly string[]): JavaPackages {
  const folder = join(tmpdir(), 'quoin-interop', name)
  const library = join(folder, 'lib')
  const stamp = join(folder, 'packages.txt')
  const list = packages.join('\n')
  return {
    folder,
    java: ['java', '-cp', join(library, '*')],
    async fetch() {
      const javac = await runCommand('javac', ['-version']).catch(() => undefined)
      if (javac?.code !== 0) return 'there is no JDK (javac) on PATH'
      if (existsSync(stamp) && readFileSync(stamp, 'utf8') === list) return undefined
      mkdirSync(folder, { recursive: true })
      const project = join(folder, 'pom.xml')
      writeFileSync(project, projectOf(packages))
      const args = ['-B', '-q', '-f', project, copy, '-DincludeScope=runtime', `-DoutputDirectory=${library}`]
      const outcome = await runCommand('mvn', args).catch((error: Error) => ({ code: 1, stdout: error.message }))
      if (outcome.code !== 0) return `mvn could not fetch ${packages.join(' ')} (${outcome.stdout.trim().slice(-300)})`
      writeFileSync(stamp, list)
      return undefined
    },
  }
}
