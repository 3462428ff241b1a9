// Regions from GeoJSON, matched with points by name. Longitude and latitude, or whatever they are, are drawn as plane coordinates:
// districts are small, and a file's order of corners, which spherical geometry depends on, is often wrong.
import type { GeoShapes } from "../document";
import { extent, type Range } from "./domain";

export interface Region {
  name: string;
  shape: { type: "Polygon" | "MultiPolygon"; coordinates: unknown };
}

type Loose = Record<string, unknown> | null | undefined;

export function regionsOf(geo: GeoShapes | null): Region[] {
  const list = (geo?.features as Loose)?.features ?? geo?.features;
  if (!geo || !Array.isArray(list)) return [];
  return list.flatMap((feature: Loose) => {
    const geometry = feature?.geometry as Loose;
    const id = geo.id === "" ? feature?.id : (feature?.properties as Loose)?.[geo.id];
    if (geometry?.type !== "Polygon" && geometry?.type !== "MultiPolygon") return [];
    if (!sound(geometry)) return [];
    return [{ name: String(id), shape: { type: geometry.type, coordinates: geometry.coordinates } }];
  });
}

// Rings of at least three corners, all of them numbers.
function sound({ type, coordinates }: Record<string, unknown>): boolean {
  const parts: unknown = type === "Polygon" ? [coordinates] : coordinates;
  const corner = (c: unknown) => Array.isArray(c) && Number.isFinite(c[0]) && Number.isFinite(c[1]);
  const ring = (r: unknown) => Array.isArray(r) && r.length > 2 && r.every(corner);
  const part = (p: unknown) => Array.isArray(p) && p.length > 0 && p.every(ring);
  return Array.isArray(parts) && parts.length > 0 && parts.every(part);
}

// For each point its region; null unless most points have one.
export function matched(names: string[], regions: Region[]): (Region | null)[] | null {
  if (names.length === 0 || regions.length === 0) return null;
  const byName = new Map(regions.map((region) => [region.name, region]));
  const found = names.map((name) => byName.get(name) ?? null);
  return found.filter((region) => region !== null).length * 2 >= names.length ? found : null;
}

export function bounds(regions: Region[]): { x: Range; y: Range } | null {
  const pairs = regions.flatMap((region) => ringsOf(region).flat());
  const x = extent(pairs.map((corner) => corner[0]));
  const y = extent(pairs.map((corner) => corner[1]));
  return x && y ? { x, y } : null;
}

function ringsOf({ shape }: Region): number[][][] {
  return shape.type === "Polygon" ? (shape.coordinates as number[][][]) : (shape.coordinates as number[][][][]).flat();
}
