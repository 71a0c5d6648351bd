// Depth maps as seen from the sun and from sixteen directions of the sky. Those of the sky are renewed a few per drawn frame: their
// light is soft, so that nobody sees which one is a frame old.

import * as THREE from "three";
import { SKY } from "./shaders.js";

const SUN_SIZE = 1024, PLAIN_SUN_SIZE = 512, SKY_TILE = 160, SKY_SIDE = 4, TILES_PER_FRAME = 4;
const PENUMBRA = 0.01; // radius, of the map's side

function depthTarget(size) {
  const target = new THREE.WebGLRenderTarget(size, size, { depthBuffer: true, generateMipmaps: false });
  target.depthTexture = new THREE.DepthTexture(size, size, THREE.UnsignedIntType);
  target.depthTexture.compareFunction = THREE.LessEqualCompare;
  target.depthTexture.magFilter = target.depthTexture.minFilter = THREE.LinearFilter;
  return target;
}

/** From clip space, [-1, 1], to a texture's. */
const TO_TEXTURE = new THREE.Matrix4().set(0.5, 0, 0, 0.5, 0, 0.5, 0, 0.5, 0, 0, 0.5, 0.5, 0, 0, 0, 1);

function lookFrom(camera, direction, centre, radius) {
  camera.left = camera.bottom = -radius;
  camera.right = camera.top = radius;
  camera.near = 0;
  camera.far = 4 * radius;
  camera.up.set(Math.abs(direction.y) > 0.9 ? 1 : 0, Math.abs(direction.y) > 0.9 ? 0 : 1, 0);
  camera.position.copy(direction).multiplyScalar(2 * radius).add(centre);
  camera.lookAt(centre);
  camera.updateMatrixWorld();
  camera.updateProjectionMatrix();
  return new THREE.Matrix4().multiplyMatrices(TO_TEXTURE, camera.projectionMatrix).multiply(camera.matrixWorldInverse);
}

/** Evenly over the upper half of the sphere (golden-angle spiral), from a little above the horizon. */
function skyDirections(up) {
  const along = new THREE.Vector3(up.y, up.z, up.x), across = new THREE.Vector3().crossVectors(up, along).normalize();
  along.crossVectors(across, up);
  return Array.from({ length: SKY }, (_, i) => {
    const z = 0.06 + (0.94 * (i + 0.5)) / SKY, r = Math.sqrt(1 - z * z), angle = 2.3999632 * i;
    return new THREE.Vector3().addScaledVector(along, r * Math.cos(angle)).addScaledVector(across, r * Math.sin(angle)).addScaledVector(up, z);
  });
}

export class Lighting {
  /** @param {boolean} withSky  false: the sun alone, on a smaller map */
  constructor(withSky) {
    this.camera = new THREE.OrthographicCamera();
    this.sun = depthTarget(withSky ? SUN_SIZE : PLAIN_SUN_SIZE);
    this.sky = depthTarget(withSky ? SKY_TILE * SKY_SIDE : 1);
    this.nextTile = 0;
    this.stale = SKY; // tiles of the sky that were made before the last change
    this.uniforms = {
      sunMap: { value: this.sun.depthTexture }, sunMatrix: { value: new THREE.Matrix4() }, sunTexel: { value: 0.01 },
      sunSoftness: { value: PENUMBRA }, towardsSun: { value: new THREE.Vector3(0, 1, 0) }, up: { value: new THREE.Vector3(0, 1, 0) },
      skyMap: { value: this.sky.depthTexture }, skyTexel: { value: 0.01 },
      skyMatrix: { value: Array.from({ length: SKY }, () => new THREE.Matrix4()) },
      skyDirection: { value: Array.from({ length: SKY }, () => new THREE.Vector3(0, 1, 0)) },
    };
  }

  setUp(up) {
    this.uniforms.up.value.copy(up);
    this.uniforms.skyDirection.value = skyDirections(up);
    this.stale = SKY;
    this.fresh = true;
  }

  /** The bodies moved. */
  touch() {
    this.stale = SKY;
  }

  /** @param {THREE.Object3D} casters  drawn with a depth material */
  render(renderer, casters, towardsSun, centre, radius, withSky) {
    const { uniforms } = this;
    uniforms.towardsSun.value.copy(towardsSun);
    uniforms.sunTexel.value = (2 * radius) / this.sun.width;
    uniforms.sunMatrix.value = lookFrom(this.camera, towardsSun, centre, radius);
    renderer.setRenderTarget(this.sun);
    renderer.clear();
    renderer.render(casters, this.camera);
    if (withSky && this.stale > 0) this.renderSky(renderer, casters, centre, radius);
    renderer.setRenderTarget(null);
  }

  renderSky(renderer, casters, centre, radius) {
    const { uniforms } = this, directions = uniforms.skyDirection.value;
    uniforms.skyTexel.value = (2 * radius) / SKY_TILE;
    const count = this.fresh ? SKY : TILES_PER_FRAME;
    this.fresh = false;
    for (let n = 0; n < count && this.stale > 0; ++n, --this.stale) {
      const i = this.nextTile;
      this.nextTile = (i + 1) % SKY;
      uniforms.skyMatrix.value[i] = lookFrom(this.camera, directions[i], centre, radius);
      const x = (i % SKY_SIDE) * SKY_TILE, y = Math.floor(i / SKY_SIDE) * SKY_TILE;
      this.sky.viewport.set(x, y, SKY_TILE, SKY_TILE);
      this.sky.scissor.set(x, y, SKY_TILE, SKY_TILE);
      this.sky.scissorTest = true;
      renderer.setRenderTarget(this.sky);
      renderer.clear();
      renderer.render(casters, this.camera);
    }
  }

  dispose() {
    this.sun.dispose();
    this.sky.dispose();
  }
}
