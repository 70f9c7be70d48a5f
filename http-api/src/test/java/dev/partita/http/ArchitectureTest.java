package dev.partita.http;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.partita.http", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String[] DIALECT = {
    "dev.partita.http.protocol..", "dev.partita.http.route..", "dev.partita.http.fanout.."
  };

  @ArchTest
  static final ArchRule theDialectKnowsThePublicSideOfTheRuntimeOnly = noClasses()
      .that()
      .resideInAnyPackage(DIALECT)
      .should()
      .dependOnClassesThat()
      .resideInAnyPackage(
          "dev.partita.runtime.actor..",
          "dev.partita.runtime.catalog..",
          "dev.partita.runtime.item..",
          "dev.partita.runtime.placement..",
          "dev.partita.runtime.replication..",
          "dev.partita.runtime.serialization..",
          "dev.partita.runtime.split..",
          "dev.partita.runtime.store..",
          "dev.partita.persistence..");

  @ArchTest
  static final ArchRule theDialectDoesNotKnowTheServer = noClasses()
      .that()
      .resideInAnyPackage(DIALECT)
      .should()
      .dependOnClassesThat()
      .resideInAnyPackage("dev.partita.http.server..", "dev.partita.http.cli..");

  @ArchTest
  static final ArchRule theGrammarKnowsNoRoute = noClasses()
      .that()
      .resideInAPackage("dev.partita.http.protocol..")
      .should()
      .dependOnClassesThat()
      .resideInAnyPackage("dev.partita.http.route..", "dev.partita.http.fanout..");

  @ArchTest
  static final ArchRule akkaStaysAtTheEdge = noClasses()
      .that()
      .resideInAnyPackage("dev.partita.http.fanout..")
      .should()
      .dependOnClassesThat()
      .resideInAPackage("akka..");

  @ArchTest
  static final ArchRule noCycles =
      slices().matching("dev.partita.http.(protocol|route|fanout)..").should().beFreeOfCycles();
}
