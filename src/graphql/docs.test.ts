import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openGraphqlChain } from '../../test/support/graphqlChain.ts'
import { packageRoot } from '../primitives/packageRoot.ts'
import { examples, graphqlPage } from './docs.ts'
import { createSchema } from './schema.ts'

test('docs/graphql.md is what `npm run docs` makes', () => {
  expect(readFileSync(join(packageRoot, 'docs/graphql.md'), 'utf8')).toBe(graphqlPage())
})

test('every root field has an example that runs', async () => {
  expect(Object.keys(examples)).toEqual(Object.keys(createSchema(false).getQueryType()!.getFields()).sort())
  const node = openGraphqlChain()
  for (const query of Object.values(examples)) expect(await node.ask(query), query).toMatchObject({ status: 200 })
  await node.close()
})
