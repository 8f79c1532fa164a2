import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { ok } from '../domain/errors.ts';
import { loadPriceSchedule } from '../pay/prices.ts';
import { defineProduct, type Product } from '../products/define-product.ts';
import type { ModuleProducts } from './module-products.ts';
import { routeTableOf } from './route-table.ts';

const product = (id: string): Product =>
  defineProduct({
    id,
    path: `/v1/${id}`,
    access: 'paid',
    summary: 'A greeting',
    description: 'Greets.',
    tags: [],
    dependsOn: 'second',
    revisedAt: '2026-11-28T00:00:00.000Z',
    answer: Type.Object({}),
    compute: () => ok({ body: {} }),
  });

const moduleOf = (given: ModuleProducts) => ({ products: async () => given });
const idsOf = async (...given: readonly ModuleProducts[]) =>
  (await routeTableOf(given.map(moduleOf))).routes.map(({ id }) => id);

describe('routes of the core and of modules', () => {
  it('no modules: those of the core', async () => {
    const { routes, priceLists } = await routeTableOf([{}]);
    expect(routes.map(({ id }) => id)).toContain('funding-current');
    expect(priceLists).toEqual([]);
  });

  it('a product of a module: behind the one that it names', async () => {
    const ids = await idsOf({ products: [{ product: product('hello'), after: 'venues-list' }] });
    expect(ids[ids.indexOf('venues-list') + 1]).toBe('hello');
  });

  it('an id that is there, or nothing to follow: an error that names it', async () => {
    const twice = { products: [{ product: product('health'), after: 'venues-list' }] };
    await expect(idsOf(twice)).rejects.toThrow('health is there twice');
    const lost = { products: [{ product: product('hello'), after: 'nothing' }] };
    await expect(idsOf(lost)).rejects.toThrow('hello is to follow nothing');
  });

  it('headers that modules add to sold answers: in the table, in order', async () => {
    const header = (name: string) => ({ name, component: name, description: 'Signed.', words: 'Keep it.' });
    const given = [{ soldHeaders: [header('Proof')] }, {}, { soldHeaders: [header('Seal')] }];
    const { soldHeaders } = await routeTableOf(given.map(moduleOf));
    expect(soldHeaders.map(({ name }) => name)).toEqual(['Proof', 'Seal']);
  });

  it('prices and tools of a module: in the table beside its routes', async () => {
    const effective = '2026-11-20T00:00:00.000Z';
    const prices = { changelog: [{ effective, changes: [{ id: 'hello', usd: '0.002' }] }] };
    const tool = { name: 'coverage' };
    const products = [{ product: product('hello'), after: 'health', tool }];
    const { toolPlaces, priceLists } = await routeTableOf([moduleOf({ products, prices })]);
    expect([...toolPlaces]).toEqual([['hello', tool]]);
    const schedule = loadPriceSchedule([], priceLists);
    if (!schedule.ok) throw new Error(schedule.errors.join());
    const [first] = schedule.value.changelog;
    expect(first).toMatchObject({ effective, note: 'First published prices.' });
    const ids = first?.changes.map(({ id }) => id) ?? [];
    expect(ids).toContain('hello');
    expect(ids).toEqual(ids.toSorted());
  });
});
